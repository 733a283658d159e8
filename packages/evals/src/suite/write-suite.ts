/** @module Writes a suite file: fields in their order, nothing folded, no anchors. What is read back equals what was written. */
import { stringify } from "yaml";
import type { SuiteFile } from "./suite-file.ts";

const order = {
  file: ["schemaVersion", "mode", "reportingMode", "suite", "target", "defaults", "provenance", "cases"],
  suite: ["id", "name", "description"],
  target: ["servers", "environment", "hosts"],
  defaults: [
    "model",
    "provider",
    "modelSource",
    "systemPrompt",
    "temperature",
    "repetitions",
    "passThreshold",
    "captureLevel",
    "toolPolicy",
    "validity",
  ],
  case: [
    "id",
    "title",
    "intent",
    "disabled",
    "model",
    "repetitions",
    "passThreshold",
    "isNegativeTest",
    "expectToolError",
    "continueOnFail",
    "expectedOutput",
    "steps",
    "checks",
    "assertions",
    "import",
  ],
} as const;

/** `comment` stands above the file, each line after a hash. */
export function writeSuite(suite: SuiteFile, comment?: string): string {
  const ordered = arranged(
    {
      ...suite,
      suite: arranged(suite.suite, order.suite),
      target: arranged(suite.target, order.target),
      defaults: arranged(suite.defaults, order.defaults),
      cases: suite.cases.map((item) => arranged(item, order.case)),
    },
    order.file,
  );
  const above = comment === undefined ? "" : `${comment.replace(/^/gm, "# ").replace(/ +$/gm, "")}\n`;
  return above + writeYaml(ordered);
}

/** Nothing folded, no anchors. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Fields in their order; what has no place comes last. */
export function arranged<T extends object>(value: T, keys: readonly (keyof T & string)[]): Partial<T> {
  const rest = Object.keys(value).filter((key) => !(keys as readonly string[]).includes(key));
  const all = [...keys, ...(rest as (keyof T & string)[])];
  return Object.fromEntries(
    all.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]),
  ) as Partial<T>;
}
