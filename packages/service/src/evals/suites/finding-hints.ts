/** @module What to do about a finding in an edited suite. */
import type { Path } from "@fettle/evals";

const byCode: Record<string, string> = {
  SUITE_FILE_TOO_LARGE: "Split the suite in two.",
  SUITE_FILE_EMPTY: "A suite has at least a name and a list of cases.",
  SUITE_FILE_YAML_INVALID: "Look at this place and the line above: a colon, a quote or the indentation.",
  SUITE_FILE_MULTIPLE_DOCUMENTS: "Take out the line of three dashes.",
  SUITE_FILE_INVALID: "Give the field a value of this kind, or take it out.",
  DUPLICATE_CASE_ID: "Give it another id, or none: then one is made up.",
  NEGATIVE_CASE_HAS_EXPECTATIONS: "Take out the expected calls, or isNegative.",
  CASE_KIND_FIXED: "Give it another id: then it is another case.",
  ITEM_TOO_LARGE: "Shorten what is expected, or the arguments.",
};

/** As other documents call it: a suite file, the create API. */
const otherNames: Record<string, string> = {
  repetitions: "iterations",
  runs: "iterations",
  isNegativeTest: "isNegative",
  assertions: "checks, with a mode and a list",
  passThreshold: "minimumAccuracy, in percent, in the suite's settings",
  enabled: "disabled, which is the opposite",
  query: "a step of the kind prompt",
  prompt: "a step of the kind prompt",
  expectedToolCalls: "steps of the kind assert",
  defaults: "model, systemPrompt and temperature, beside the name",
  modelSource: "modelSource, in the suite's settings",
  schemaVersion: "nothing: leave it out, as it is a suite file's",
};

export function hintOf(code: string, path: Path): string {
  const field = path.at(-1);
  const known = typeof field === "string" && path.length <= 3 ? otherNames[field] : undefined;
  return known === undefined ? (byCode[code] ?? "Change it at this place.") : `Here it is called ${known}.`;
}
