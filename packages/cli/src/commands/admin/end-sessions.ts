/** @module `fettle admin end-sessions`: signs somebody out everywhere. */
import { withAdmin } from "../../admin/with-admin.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { endSessionsFlags } from "./flags.ts";

export async function run({ flags, world }: Call<typeof endSessionsFlags, NoArguments>): Promise<Outcome> {
  const { data, email: typed, apiKeys } = flags;
  const ended = await withAdmin(world, { data }, (admin) => admin.endSessions({ email: typed, apiKeys }));
  const parts = [
    count(ended.browsers, "browser"),
    count(ended.commandLines, "command line"),
    ...(apiKeys ? [count(ended.apiKeys, "API key")] : []),
  ];
  return {
    value: ended,
    human: () => text`${style.green("✓")} ${ended.email} is signed out: ${parts.join(", ")}.`,
  };
}
