/** @module What a run is launched with, and the receipt for it. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { limits } from "../core/limits/limits.ts";
import { repetitions } from "./case.ts";
import { EvalMatchOptionsInput } from "./match-options.ts";
import { CiInfo, EvalRunEnvironment } from "./run.ts";
import { nameText, opaqueId } from "./step.ts";
import { CaseUpsert, NamedServer, PassCriteria } from "./suite.ts";
import { inlineTests } from "./test-case.ts";
import { evalRunStatuses, runModelSources } from "./words.ts";

const { evals } = limits;

const knobs = {
  iterationOverride: repetitions.optional().describe("Of every case, in this run"),
  modelOverride: nameText
    .optional()
    .describe("Answers every case of this run, whatever the suite, the target or a case say"),
  caseIds: z
    .array(z.string().min(1))
    .min(1)
    .max(limits.suiteFile.maxCases)
    .optional()
    .describe("Ids or declared ids"),
  matchOptionsOverride: EvalMatchOptionsInput.optional(),
  skillsOverride: z.literal("exclude").optional(),
  notes: z.string().max(limits.text.descriptionLength).optional(),
  passCriteria: PassCriteria.optional(),
  idempotencyKey: z.string().trim().min(1).max(limits.idempotency.maxKeyLength).optional(),
  approvals: z
    .strictObject({
      caseIds: z.array(opaqueId).min(1).max(limits.suiteFile.maxCases).describe("Declared ids"),
      reason: z.string().trim().min(1).max(evals.approvalReasonLength),
    })
    .optional()
    .describe("Of approximated cases, for this launch alone"),
  sourceHash: z.string().optional(),
  ci: CiInfo.optional(),
  launcher: z
    .strictObject({
      kind: z.enum(["cli", "mcp", "github_action"]),
      client: nameText.optional(),
      version: nameText.optional(),
    })
    .optional(),
};

const serverIds = z.array(z.string().min(1)).min(1).max(limits.serverGroups.servers).describe("Ids or names");

export const EvalRunCreateRequest = z
  .strictObject({
    suiteId: idOf<"evalSuite">().optional(),
    suiteName: nameText.optional(),
    suiteDescription: z.string().max(limits.text.descriptionLength).optional(),
    tests: inlineTests.optional(),
    serverIds: serverIds.optional(),
    serverNames: z.array(z.string()).optional().describe("Ignored: the service knows them"),
    suiteRerun: z
      .boolean()
      .optional()
      .describe("True: the suite of `suiteId` is run again, which is what naming it means"),
    modelApiKeys: z
      .record(z.string(), z.string())
      .optional()
      .describe("By provider, for this run; never stored in clear"),
    environmentId: idOf<"environment">().optional(),
    namedHostId: idOf<"client">().optional(),
    refreshSnapshot: z
      .boolean()
      .optional()
      .describe(
        "The servers of this run become the suite's saved selection; environments and clients are resolved anew for every run",
      ),
    runGroupId: z.string().optional().describe("A label only"),
    ...knobs,
  })
  .refine(
    ({ suiteId, suiteName, tests, serverIds: servers }) =>
      suiteId !== undefined ||
      (suiteName !== undefined && tests !== undefined && tests.length > 0 && servers !== undefined),
    { error: "Give suiteId, or suiteName with tests and serverIds.", path: ["suiteId"] },
  )
  .superRefine((request, context) => {
    const { suiteId, environmentId, namedHostId, serverIds: servers } = request;
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (suiteId === undefined) {
      if (environmentId !== undefined) refuse("environmentId", "needs suiteId");
      if (namedHostId !== undefined) refuse("namedHostId", "needs suiteId");
      if (request.suiteRerun === true) refuse("suiteRerun", "needs suiteId");
    } else {
      const message = "makes a suite, and suiteId names one: add cases to it with the cases operations first";
      for (const own of ["tests", "suiteName", "suiteDescription"] as const) {
        if (request[own] !== undefined) refuse(own, message);
      }
    }
    const named = [environmentId, namedHostId, servers].filter((one) => one !== undefined);
    if (named.length > 1) refuse("serverIds", "environmentId, namedHostId and serverIds exclude each other");
  })
  .meta({ id: "EvalRunCreateRequest" });
export type EvalRunCreateRequest = z.output<typeof EvalRunCreateRequest>;

export const EvalRunModel = z
  .object({
    id: z.string().nullable().describe("Null: several, or none yet"),
    source: z.enum(runModelSources).nullable().describe("Who named it; `host`: the client"),
    from: z.string().describe("The same in words, such as `client Claude Desktop`"),
  })
  .meta({ id: "EvalRunModel" });
export type EvalRunModel = z.output<typeof EvalRunModel>;

const launched = {
  status: z.enum(evalRunStatuses),
  deduped: z.boolean().optional().describe("True: this run was started before"),
  servers: z.array(NamedServer),
  environment: EvalRunEnvironment.nullable(),
  model: EvalRunModel,
  viewUrl: z.string(),
};

export const EvalRunCreated = z
  .object({
    runId: z.string(),
    suiteId: z.string(),
    runGroupId: z.string().optional(),
    caseUpsert: CaseUpsert,
    ...launched,
  })
  .meta({ id: "EvalRunCreated" });
export type EvalRunCreated = z.output<typeof EvalRunCreated>;

const GroupTarget = z
  .strictObject({
    environmentId: idOf<"environment">().optional(),
    namedHostId: idOf<"client">().optional(),
  })
  .refine(({ environmentId, namedHostId }) => (environmentId === undefined) !== (namedHostId === undefined), {
    error: "Name an environment or a client, one of them.",
  });

export const EvalRunGroupCreateRequest = z
  .strictObject({
    suiteId: idOf<"evalSuite">(),
    targets: z.array(GroupTarget).min(1).max(evals.runGroupTargets),
    ...knobs,
  })
  .refine(
    ({ targets }) => new Set(targets.map(({ environmentId }) => environmentId === undefined)).size <= 1,
    {
      error: "A group is of environments or of clients, not of both.",
      path: ["targets"],
      params: { code: "HETEROGENEOUS_TARGETS" },
    },
  )
  .meta({ id: "EvalRunGroupCreateRequest" });
export type EvalRunGroupCreateRequest = z.output<typeof EvalRunGroupCreateRequest>;

export const EvalRunGroupCreated = z
  .object({
    runGroupId: z.string(),
    suiteId: z.string(),
    outcome: z.enum(["started", "partial", "failed"]),
    startedCount: z.int(),
    failedCount: z.int(),
    targets: z.array(
      z.object({
        target: z.object({
          environmentId: z.string().optional(),
          namedHostId: z.string().optional(),
          name: z.string().nullable(),
        }),
        status: z.enum(["started", "failed"]),
        runId: z.string().optional(),
        runStatus: z.enum(evalRunStatuses).optional(),
        deduped: z.boolean().optional(),
        servers: z.array(NamedServer).optional(),
        environment: EvalRunEnvironment.nullable().optional(),
        model: EvalRunModel.optional(),
        viewUrl: z.string().optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  })
  .meta({ id: "EvalRunGroupCreated" });
export type EvalRunGroupCreated = z.output<typeof EvalRunGroupCreated>;
