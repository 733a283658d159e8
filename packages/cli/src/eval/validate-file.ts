/** @module What `eval validate` says of a file, here and in the cloud's command: findings, advice, and the suite when it is one. */
import { exitCodes } from "@fettle/contract/core";
import { isCreateBody, lintSuite, type SuiteFile } from "@fettle/evals";
import type { Outcome } from "../output/printer.ts";
import { count } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { World } from "../world.ts";
import { findingsText, warningsText } from "./findings-text.ts";
import { readSuiteInput } from "./suite-input.ts";

export interface ValidatedFile {
  outcome: Omit<Outcome, "value"> & { value: Record<string, unknown> };
  /** Present when the file is valid. */
  suite?: SuiteFile;
}

export async function validateFile(
  path: string,
  world: Pick<World, "stdin" | "cwd">,
): Promise<ValidatedFile> {
  const input = await readSuiteInput(path, world);
  const { file } = input;
  if (!input.ok) {
    const { stage, findings, bytes } = input;
    const isOther = bytes !== undefined && isCreateBody(bytes);
    return {
      outcome: {
        value: { valid: false, file, stage, findings },
        human: () =>
          lines([
            findingsText(file, findings),
            "",
            text`${style.red("✗")} ${file}: ${count(findings.length, "finding")}`,
          ]),
        ...(isOther && { hint: "This is a body for creating a suite: `fettle cloud eval create --file`." }),
        exitCode: exitCodes.failed,
      },
    };
  }
  const { suite } = input;
  const warnings = lintSuite(suite);
  const facts = suiteFacts(suite);
  return {
    suite,
    outcome: {
      value: { valid: true, file, suite: facts, findings: [], warnings },
      human: () =>
        lines([
          ...(warnings.length > 0 ? [warningsText(warnings), ""] : []),
          text`${style.green("✓")} ${file}: valid - suite ${style.bold(facts.id)} (${count(facts.cases, "case")}, ${facts.enabledCases} enabled)`,
        ]),
    },
  };
}

function suiteFacts({ suite: { id, name }, cases }: SuiteFile) {
  return {
    id,
    name,
    cases: cases.length,
    enabledCases: cases.filter(({ disabled }) => disabled !== true).length,
  };
}
