/** @module `fettle cloud eval validate`: the same as `eval validate`; with `--project` also whether the calls a suite makes itself exist there. */
import { exitCodes } from "@fettle/contract/core";
import { inProject } from "../../../cloud/in-project.ts";
import { checkLiveReferences } from "../../../eval/live-references.ts";
import { validateFile } from "../../../eval/validate-file.ts";
import type { Outcome } from "../../../output/printer.ts";
import { count } from "../../../output/table.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { evalValidateFlags } from "./flags.ts";

/** Keyed on the flag alone: a link or a variable of the folder must not make an offline command talk. */
export async function run(call: Call<typeof evalValidateFlags, NoArguments>): Promise<Outcome> {
  const { outcome, suite } = await validateFile(call.flags.file, call.world);
  if (call.flags.project === undefined || !suite) return outcome;
  const { client, projectId, project } = await inProject(call);
  const live = await checkLiveReferences({ client, projectId }, suite);
  const named = { id: project.id, name: project.name };
  return {
    ...outcome,
    value: { ...outcome.value, valid: live.valid, projectValidation: { project: named, ...live } },
    human: (view) =>
      lines([
        outcome.human(view),
        ...live.findings.map(
          ({ target, pointer, message }) =>
            text`${style.red("✗")} ${style.dim(target)} ${style.bold(pointer)} ${message}`,
        ),
        live.valid
          ? text`${style.green("✓")} Every call it makes itself exists in ${project.name}`
          : text`${style.red("✗")} ${count(live.findings.length, "reference")} not found in ${project.name}`,
      ]),
    ...(!live.valid && { exitCode: exitCodes.failed }),
  };
}
