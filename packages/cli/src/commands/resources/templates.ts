/** @module `fettle resources templates`: addresses with blanks to fill in. */
import { listFacts, listOptions, oneLine, warnOfList } from "../../connection/lists.ts";
import { withServer } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { listFlags } from "./flags.ts";

export async function run(call: Call<typeof listFlags, NoArguments>): Promise<Outcome> {
  return withServer(call, async ({ connection, deadline }) => {
    const walk = await connection.listResourceTemplates(listOptions(call.flags, deadline));
    warnOfList(call.print, walk);
    const rows = walk.items.map(({ uriTemplate, name, title, mimeType, description }) => [
      style.bold(uriTemplate),
      oneLine(mimeType),
      oneLine(description ?? title ?? name),
    ]);
    const columns = [
      { header: "TEMPLATE" },
      { header: "TYPE", shrinks: true },
      { header: "DESCRIPTION", shrinks: true },
    ];
    return {
      value: { resourceTemplates: walk.items, ...listFacts(walk) },
      human: ({ width }) =>
        lines([
          ...(rows.length > 0 ? [table(columns, rows, width), ""] : []),
          count(rows.length, "template"),
        ]),
    };
  });
}
