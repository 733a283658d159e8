/** @module Whether a run passes its gate, and the waiver that may let a failed one through for a while. */
import { z } from "zod";
import { ErrorResponse } from "../core/error-response.ts";
import { limits } from "../core/limits/limits.ts";
import { Moment, Timestamp } from "../core/timestamp.ts";
import { gateStatuses } from "./words.ts";

export const ImportEligibility = z
  .object({
    status: z
      .enum(["legacy", "eligible", "incomplete"])
      .describe("`legacy`: no case was brought from elsewhere"),
    gateable: z.boolean(),
    reasons: z.array(z.string()),
    importedCaseCount: z.int(),
    claimedExactCaseIds: z.array(z.string()),
    approvedApproximationCaseIds: z.array(z.string()),
    issues: z.array(z.object({ code: z.string(), caseKey: z.string().optional() })),
  })
  .meta({ id: "EvalImportEligibility" });
export type ImportEligibility = z.output<typeof ImportEligibility>;

export const GateWaiver = z
  .object({
    id: z.string(),
    suiteId: z.string(),
    runId: z.string(),
    reason: z.string(),
    expiresAt: Timestamp,
    createdAt: Timestamp,
    createdBy: z.string().nullable(),
    createdByEmail: z.string().nullable(),
    revokedAt: Timestamp.nullable(),
    revokedBy: z.string().nullable(),
    active: z.boolean().describe("As it was when this was read: see `expiresAt` and `revokedAt`"),
    policySnapshot: z
      .object({ minimumPassRate: z.number() })
      .nullable()
      .describe("What the gate asked for, in percent"),
  })
  .meta({ id: "GateWaiver" });
export type GateWaiver = z.output<typeof GateWaiver>;

/** Reason and expiry are judged by the service, which gives each refusal its own code. */
export const GateWaiverCreateRequest = z
  .strictObject({
    reason: z.string().meta({ minLength: 1, maxLength: limits.gate.waiverReasonLength }),
    expiresAt: Moment,
  })
  .meta({ id: "GateWaiverCreateRequest" });
export type GateWaiverCreateRequest = z.output<typeof GateWaiverCreateRequest>;

export const GateWaiverWritten = z
  .object({
    status: z.enum(["created", "revoked", "already_revoked"]),
    republishedChecks: z.int().describe("Check runs brought back in line"),
    waiver: GateWaiver,
  })
  .meta({ id: "GateWaiverWritten" });

/** The waiver stands where errors keep what they tell and, for readers of the other shape, beside it. */
const inForce = { status: z.literal("conflict").optional(), waiver: GateWaiver.optional() };
export const GateWaiverConflict = z
  .object({
    ...ErrorResponse.shape,
    details: z.looseObject({ code: z.string().optional(), ...inForce }).optional(),
    ...inForce,
  })
  .meta({
    id: "GateWaiverConflict",
    description:
      "`details.code` is `WAIVER_IN_FORCE`, with that waiver, or `GATE_NOT_WAIVABLE`: the gate has not failed",
  });

export const GateWaiverInForce = z
  .object({ waiver: GateWaiver.nullable() })
  .meta({ id: "GateWaiverInForce" });

export const EvalRunGate = z
  .object({
    runId: z.string(),
    status: z.enum(gateStatuses),
    verdict: z.enum(["passed", "failed"]).nullable().describe("Of the run itself, whatever is waived"),
    gateable: z.boolean(),
    reasons: z.array(z.string()),
    importEligibility: ImportEligibility.nullable(),
    waiver: GateWaiver.nullable(),
    evaluatedAt: Timestamp,
  })
  .meta({ id: "EvalRunGate" });
export type EvalRunGate = z.output<typeof EvalRunGate>;
