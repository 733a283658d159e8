/** @module The suite file, `schemaVersion: "1"`, as types and bounds. Every object is closed, and nothing is filled in. */
import { limits } from "@fettle/contract/core";
import {
  EvalCaseImport,
  ExpectToolError,
  fraction,
  nameText,
  opaqueId,
  suiteModelSources,
} from "@fettle/contract/evals";
import { z } from "zod";
import { predicateSchema } from "../predicates/registry.ts";
import { stepSchema } from "./steps.ts";

const { suiteFile, evals } = limits;

/** One value is understood, others are promised for later: they are refused now, not ignored. */
const onlyOf = <Value extends string>(value: Value, reserved: readonly string[]) =>
  z.literal(value, {
    error: ({ input }) =>
      reserved.includes(input as string)
        ? `"${input}" is reserved and not supported yet; use "${value}"`
        : `must be "${value}"`,
  });

const repetitions = z.int().min(1).max(suiteFile.repetitions);

const serverReference = z.strictObject({ name: nameText, id: opaqueId.optional() });

const target = z
  .strictObject({
    servers: z.array(serverReference).min(1).optional(),
    environment: nameText.optional(),
    hosts: z
      .array(
        z.strictObject({
          name: nameText,
          id: opaqueId.optional(),
          servers: z.array(serverReference).optional(),
        }),
      )
      .min(1)
      .optional(),
  })
  .refine(({ servers, environment }) => servers ?? environment, {
    error: "names nothing to run against; give servers or environment",
  });

const toolNames = z.array(z.string().min(1));

const defaults = z.strictObject({
  model: nameText,
  provider: nameText.optional(),
  /** Whose model answers where `target` names a client or an environment, which has one too. */
  modelSource: z.enum(suiteModelSources).optional(),
  systemPrompt: z.string().optional(),
  temperature: z.number().min(0).optional(),
  repetitions,
  passThreshold: fraction,
  validity: z.strictObject({
    minEligibleTrials: z.int().min(1).optional(),
    minCompletionRate: fraction.optional(),
    maxEvaluatorErrorRate: fraction.optional(),
  }),
  toolPolicy: z
    .strictObject({
      mode: z.enum(["default", "readOnly"]),
      allow: toolNames.optional(),
      deny: toolNames.optional(),
    })
    .optional(),
  captureLevel: onlyOf("full", ["metadataOnly", "none"]).optional(),
});

const provenance = z.strictObject({
  sourceHash: z.string().min(1),
  sourceFormat: z.string().min(1),
  reportHash: z.string().min(1),
  sourceFormatVersion: z.string().optional(),
  converter: z.string().optional(),
  converterVersion: z.string().optional(),
  model: z.string().optional(),
  discoverySnapshotHash: z.string().optional(),
  importedAt: z.iso.datetime({ offset: true }).optional(),
});

const checks = z.array(predicateSchema).max(evals.assertionsPerCase);

const caseSchema = z
  .strictObject({
    id: opaqueId,
    title: nameText,
    intent: z.string().optional(),
    steps: z.array(stepSchema).min(1).max(evals.stepsPerCase),
    /** Two names for one list; both at once are refused. */
    assertions: checks.optional(),
    checks: checks.optional(),
    expectedOutput: z.string().optional(),
    isNegativeTest: z.boolean().optional(),
    /** In any turn; a prompt or toolCall step may say it of its own. */
    expectToolError: ExpectToolError.optional(),
    /** Goes on after a failed assertion, so that all are seen. */
    continueOnFail: z.boolean().optional(),
    model: nameText.optional(),
    repetitions: repetitions.optional(),
    passThreshold: fraction.optional(),
    disabled: z.boolean().optional(),
    import: EvalCaseImport.optional(),
  })
  .refine((value) => value.assertions === undefined || value.checks === undefined, {
    error: "has both checks and assertions, two names for one list; keep one",
  });

export const suiteFileSchema = z.strictObject({
  schemaVersion: z.literal("1", {
    error: ({ input }) =>
      input === 1
        ? 'must be the text "1", in quotes'
        : 'must be "1"; a newer file needs a newer client: upgrade it',
  }),
  mode: onlyOf("agentWorkflow", ["serverContract"]),
  reportingMode: onlyOf("standard", ["restricted", "summary"]),
  suite: z.strictObject({ id: opaqueId, name: nameText, description: z.string().optional() }),
  target,
  defaults,
  provenance: provenance.optional(),
  cases: z.array(caseSchema).min(1).max(suiteFile.maxCases),
});

export type SuiteFile = z.infer<typeof suiteFileSchema>;
export type SuiteCase = SuiteFile["cases"][number];

/** The tools that a case's assertions name. */
export function toolsAskedAbout(item: SuiteCase): string[] {
  const { steps, checks = [], assertions = [] } = item;
  const asserted = steps.flatMap((step) =>
    step.kind === "assert" && "type" in step.assertion ? [step.assertion] : [],
  );
  const refusing = [item, ...steps].flatMap((one) =>
    "expectToolError" in one && typeof one.expectToolError === "object"
      ? (one.expectToolError.tool ?? [])
      : [],
  );
  const named = [...asserted, ...checks, ...assertions].flatMap((one) =>
    "toolName" in one && one.toolName ? [one.toolName] : [],
  );
  return [...named, ...refusing];
}
