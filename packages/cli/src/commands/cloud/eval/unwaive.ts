/** @module `fettle cloud eval gate unwaive`: takes back the waiver in force, or the one that is named. */
import { usageError } from "../../../cli-error.ts";
import { inProject } from "../../../cloud/in-project.ts";
import type { Outcome } from "../../../output/printer.ts";
import { style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { unwaiveFlags } from "./gates-flags.ts";

export async function run(call: Call<typeof unwaiveFlags, NoArguments>): Promise<Outcome> {
  const { run: runId, waiver } = call.flags;
  const { client, projectId } = await inProject(call);
  const waiverId = waiver ?? (await client.getGateWaiver({ projectId, runId })).waiver?.id;
  if (waiverId === undefined) {
    throw usageError("No waiver is in force on this run.", {
      hint: "See how its gate stands with `fettle cloud eval gate`.",
    });
  }
  const answer = await client.revokeGateWaiver({ projectId, runId, waiverId });
  const done = answer.status === "revoked" ? "Revoked" : "Was revoked before:";
  return {
    value: answer,
    human: () => text`${style.green("✓")} ${done} ${style.bold(answer.waiver.id)}; the gate fails again`,
    hint: style.cyan(`fettle cloud eval gate --run ${runId}`),
  };
}
