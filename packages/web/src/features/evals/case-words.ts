/** @module A case in words: what is asked in it, and what must come of it. */
import type { EvalCase, ExpectToolError } from "@fettle/contract/evals";
import { checkWords } from "./failure-reasons.ts";

/** The messages and calls of a case, in their order. */
export function asksOf({ steps }: Pick<EvalCase, "steps">): string {
  return steps
    .flatMap((step) => {
      if (step.kind === "prompt") return [`“${step.prompt}”`];
      return step.kind === "toolCall" ? [`calls ${step.toolName}`] : [];
    })
    .join(" ");
}

export function expectsOf({
  steps,
  isNegative,
  expectToolError,
  checks,
}: Pick<EvalCase, "steps" | "isNegative" | "expectToolError" | "checks">): string[] {
  const asserted = steps.flatMap((step) => (step.kind === "assert" ? [step.assertion] : []));
  const said = [...asserted, ...(checks?.list ?? [])].map(assertionWords);
  const refusals = [
    expectToolError,
    ...steps.map((step) => "expectToolError" in step && step.expectToolError),
  ];
  said.push(...refusals.flatMap((wanted) => (wanted ? [refusalWords(wanted)] : [])));
  if (isNegative) said.unshift("no tool is called");
  return [...new Set(said.length > 0 ? said : ["no tool fails"])];
}

function refusalWords(wanted: ExpectToolError): string {
  if (wanted === true) return "a tool call fails";
  const { tool = "a tool call", contains } = wanted;
  return contains === undefined ? `${tool} fails` : `${tool} fails with “${contains}”`;
}

/** In the words of the judge: its name, then its operands. */
function assertionWords(assertion: Record<string, unknown>): string {
  const { type, kind, role: _role, severity: _severity, args, ...operands } = assertion;
  const wanted = (args as { args?: unknown } | undefined)?.args;
  const words = [...Object.values(operands), ...(wanted === undefined ? [] : [wanted])].map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  return checkWords([String(type ?? kind), ...words].join(" "));
}
