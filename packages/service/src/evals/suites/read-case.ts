/** @module From what a caller sent to a case that can be kept, or the reason why it cannot. */
import { Buffer } from "node:buffer";
import { limits } from "@fettle/contract/core";
import {
  type CaseFailure,
  type EvalCase,
  EvalCaseCreateRequest,
  type EvalMatchOptions,
  type EvalRefusal,
  type EvalStep,
  type EvalSuiteCreateRequest,
  EvalTestCase,
} from "@fettle/contract/evals";
import { defaultMatchOptions, digestOf, predicateSchema, stepSchema } from "@fettle/evals";
import { z } from "zod";
import type { CaseDefinition } from "../../core/tables/eval-suites.ts";
import type { CaseRow } from "./case-store.ts";
import type { SuiteRow } from "./store.ts";

/** A case before it has an id and a place. */
export interface ReadCase {
  declaredId: string | undefined;
  title: string;
  disabled: boolean;
  definition: CaseDefinition;
  contentHash: string;
}

export interface CaseFault {
  code: CaseFailure;
  message: string;
  /** Inside the case. */
  path: string;
  /** The rule that it breaks, where that has a name of its own. */
  rule?: string;
}

export type CaseReading = { ok: true; read: ReadCase } | { ok: false; fault: CaseFault };

/** Any value: what is wrong with one case is told of it alone. */
export function readCase(item: unknown): CaseReading {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    return failed("INVALID_ITEM", "A case is an object.");
  }
  if (Buffer.byteLength(JSON.stringify(item)) > limits.evals.caseBytes) {
    return failed("ITEM_TOO_LARGE", `A case has at most ${limits.evals.caseBytes} bytes as JSON.`);
  }
  const parsed = EvalCaseCreateRequest.safeParse(item);
  return parsed.success ? readRequest(parsed.data) : failedBy(parsed.error);
}

/** As `createEvalSuite` and an inline launch write it; the suite's own model is not repeated in the case. */
export function readTest(
  item: unknown,
  suite: Pick<EvalSuiteCreateRequest, "model" | "provider">,
): CaseReading {
  const parsed = EvalTestCase.safeParse(item);
  if (!parsed.success) return failedBy(parsed.error);
  const { runs, repetitions, isNegativeTest, predicates, assertions, provider, ...rest } = parsed.data;
  const { model = provider === undefined ? undefined : suite.model, ...same } = rest;
  const iterations = same.iterations ?? runs ?? repetitions;
  const isNegative = same.isNegative ?? isNegativeTest;
  const checks = same.checks ?? predicates ?? assertions;
  const isOwn = model !== undefined && (model !== suite.model || provider !== suite.provider);
  return readCase({
    ...same,
    ...(iterations !== undefined && { iterations }),
    ...(isNegative !== undefined && { isNegative }),
    ...(checks && { checks: Array.isArray(checks) ? { mode: "extend", list: checks } : checks }),
    ...(isOwn && { models: [{ model, ...(provider !== undefined && { provider }) }] }),
  });
}

/** The shape holds; what its assertions ask is looked at here. */
export function readRequest(request: EvalCaseCreateRequest): CaseReading {
  const { id, title, disabled = false, matchOptions, checks, import: imported, ...said } = request;
  const steps = z.object({ steps: z.array(stepSchema) }).safeParse({ steps: said.steps });
  if (!steps.success) return failedBy(steps.error);
  const list = z
    .object({ checks: z.object({ list: z.array(predicateSchema) }) })
    .safeParse({ checks: checks ?? { list: [] } });
  if (!list.success) return failedBy(list.error);
  const isNegative = said.isNegative ?? false;
  const expected = steps.data.steps.findIndex(
    (step) => step.kind === "assert" && "type" in step.assertion && step.assertion.type === "toolCalledWith",
  );
  const isRefusalWanted =
    said.expectToolError !== undefined ||
    steps.data.steps.some((step) => step.kind === "prompt" && step.expectToolError !== undefined);
  if (isNegative && isRefusalWanted) {
    const rule: EvalRefusal = "NEGATIVE_CASE_HAS_EXPECTATIONS";
    const message = "A negative case passes when no tool is called: none can fail as expected.";
    return failed("INVALID_CASE", message, "expectToolError", rule);
  }
  if (isNegative && expected >= 0) {
    const rule: EvalRefusal = "NEGATIVE_CASE_HAS_EXPECTATIONS";
    const message = "A negative case passes when no tool is called: it expects none.";
    return failed("INVALID_CASE", message, `steps.${expected}`, rule);
  }
  const definition: CaseDefinition = {
    ...said,
    // Parsed again with what the predicates are; on the wire an assertion is any object.
    steps: steps.data.steps as EvalStep[],
    iterations: said.iterations ?? 1,
    isNegative,
    models: said.models ?? [],
    ...(matchOptions && { matchOptions }),
    ...(checks && { checks: { mode: checks.mode, list: list.data.checks.list } }),
    ...(imported && { import: imported }),
  };
  return {
    ok: true,
    read: {
      declaredId: id,
      title: title.trim(),
      disabled,
      definition,
      contentHash: contentHashOf(definition),
    },
  };
}

/** What is asked and expected: two cases that differ only in their names say the same. */
function contentHashOf({
  steps,
  expectedOutput,
  expectToolError,
  isNegative,
  advancedConfig,
}: CaseDefinition): string {
  const { toolMode } = advancedConfig ?? {};
  return digestOf({
    steps: steps.map(({ id: _id, ...step }) => step),
    expectedOutput,
    expectToolError,
    isNegative,
    toolMode,
  });
}

/** The one step of a case that only shows what a tool renders. */
export function isRenderCheck(steps: readonly { kind: string }[]): boolean {
  return steps.length === 1 && steps[0]?.kind === "toolCall";
}

export function toCase({ settings }: Pick<SuiteRow, "settings">, row: CaseRow): EvalCase {
  const { matchOptions } = row.definition;
  return {
    id: row.id,
    declaredId: row.declaredId,
    title: row.title,
    ...row.definition,
    ...(matchOptions && { matchOptions: wholeMatch(settings.matchOptions, matchOptions) }),
    disabled: row.disabled,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

/** As calls are matched, so that a partial choice is answered whole: what a later one leaves out is as the one before it says. */
export const wholeMatch = (...chosen: (EvalMatchOptions | null)[]): EvalMatchOptions =>
  Object.assign({ ...defaultMatchOptions }, ...chosen);

function failed(code: CaseFailure, message: string, path = "", rule?: string): CaseReading {
  return { ok: false, fault: { code, message, path, ...(rule !== undefined && { rule }) } };
}

function failedBy({ issues }: z.ZodError): CaseReading {
  const [issue] = issues;
  const path = issue?.path.map(String).join(".") ?? "";
  const rule = issue?.code === "custom" ? (issue.params?.code as string | undefined) : undefined;
  const code =
    rule === "UNSTORABLE_ITEM"
      ? rule
      : path === "id"
        ? ("INVALID_CASE_ID" as const)
        : ("INVALID_CASE" as const);
  const said = issue?.code === "unrecognized_keys" ? `unknown: ${issue.keys.join(", ")}` : issue?.message;
  return failed(code, path === "" ? `${said}` : `${path}: ${said}`, path, rule);
}
