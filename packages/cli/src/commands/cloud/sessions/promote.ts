/** @module `fettle cloud sessions promote`: an eval case made of a conversation. */
import { finders } from "../../../cloud/finders.ts";
import { inProject } from "../../../cloud/in-project.ts";
import type { Outcome } from "../../../output/printer.ts";
import { count } from "../../../output/table.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { promoteFlags } from "./sessions-flags.ts";

export async function run(call: Call<typeof promoteFlags, NoArguments>): Promise<Outcome> {
  const { flags } = call;
  const place = await inProject(call);
  const suite = await (await finders.suite(place))(flags.suite);
  const made = await place.client.promoteChatSession({
    sessionId: flags.session,
    body: { suiteId: suite.id, ...(flags.title !== undefined && { title: flags.title }) },
  });
  return {
    value: made,
    human: () =>
      lines([
        text`${style.green("✓")} ${style.bold(made.case.title)} ${style.dim(made.case.id)} in ${made.suiteName}`,
        style.dim(
          `${count(made.messages, "message")} asked again, ${count(made.calls, "call")} expected again`,
        ),
        ...(made.calls === 0 ? [style.yellow("Nothing was called, so the case expects nothing yet.")] : []),
        ...made.warnings.map(({ message }) => style.yellow(message)),
      ]),
    hint: `fettle cloud eval cases get --suite ${suite.id} --case ${made.case.id}`,
  };
}
