/** @module `fettle eval validate`: is this a suite file? Offline: no client, no key, no network. */
import { exitCodes } from "@fettle/contract";
import { isCreateBody, lintSuite, type SuiteFile } from "@fettle/evals";
import { findingsText, warningsText } from "../../eval/findings-text.ts";
import { readSuiteInput } from "../../eval/suite-input.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { validateFlags } from "./index.ts";

export async function run({ flags, world }: Call<typeof validateFlags, NoArguments>): Promise<Outcome> {
  const input = await readSuiteInput(flags.file, world);
  const { file } = input;
  if (!input.ok) {
    const { stage, findings, bytes } = input;
    const isOther = bytes !== undefined && isCreateBody(bytes);
    return {
      value: { valid: false, file, stage, findings },
      human: () =>
        lines([
          findingsText(file, findings),
          "",
          text`${style.red("✗")} ${file}: ${findings.length} findings`,
        ]),
      ...(isOther && { hint: "This is a body for creating a suite: `fettle cloud eval create --file`." }),
      exitCode: exitCodes.failed,
    };
  }
  const warnings = lintSuite(input.suite);
  const suite = suiteFacts(input.suite);
  return {
    value: { valid: true, file, suite, findings: [], warnings },
    human: () =>
      lines([
        ...(warnings.length > 0 ? [warningsText(warnings), ""] : []),
        text`${style.green("✓")} ${file}: valid - suite ${style.bold(suite.id)} (${suite.cases} cases, ${suite.enabledCases} enabled)`,
      ]),
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
