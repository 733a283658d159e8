/** @module `fettle server export`: everything a server offers, in one document. */
import { readServer, type ServerContents, toExport, toSnapshot } from "@fettle/checks";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome } from "../../output/printer.ts";
import { count, facts } from "../../output/table.ts";
import type { Text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { exportFlags } from "./flags.ts";

export async function run(call: Call<typeof exportFlags, NoArguments>): Promise<Outcome> {
  const { stable } = call.flags;
  return withServer(call, async ({ connection, plan, deadline }) => {
    const contents = await readServer(connection, deadline.signal);
    const { label } = plan.facts;
    const now = new Date(call.world.now()).toISOString();
    return {
      value: stable ? toSnapshot(contents, label) : toExport(contents, label, now),
      exact: stable,
      human: () => summary(contents, label),
      hint: suggest(["server", "export"], ["--stable", "--format", "json"]),
    };
  });
}

/** A whole server is for a file; people get the gist. */
function summary(
  { initInfo, tools, resources, resourceTemplates, prompts }: ServerContents,
  label: string,
): Text {
  const { name, version } = initInfo.serverVersion ?? {};
  return facts([
    ["Server", `${String(name ?? label)} ${String(version ?? "")}`.trim()],
    ["Protocol", initInfo.protocolVersion],
    ["Tools", named(tools, "name")],
    ["Resources", count(resources.length, "resource")],
    ["Templates", named(resourceTemplates, "uriTemplate")],
    ["Prompts", named(prompts, "name")],
  ]);
}

function named(items: readonly Record<string, unknown>[], key: string): string {
  return items.map((item) => String(item[key])).join(", ") || "none";
}
