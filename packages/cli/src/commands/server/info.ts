/** @module `fettle server info`: what a server says of itself when a connection opens. */
import { initInfoOf } from "@fettle/checks";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts } from "../../output/table.ts";
import { block, lines, style } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { serverFlags } from "./flags.ts";

export async function run(call: Call<typeof serverFlags, NoArguments>): Promise<Outcome> {
  return withServer(call, async ({ connection, deadline }) => {
    // A server of the stateless revision may leave its name for the first ordinary answer.
    if (connection.era === "stateless" && connection.serverInfo === null) {
      await connection.ping({ signal: deadline.signal });
    }
    const info = initInfoOf(connection);
    const { name, title, version } = info.serverVersion ?? {};
    return {
      value: info,
      human: () =>
        lines([
          facts([
            ["Server", [title ?? name ?? "does not say", version].filter(Boolean).map(String).join(" ")],
            ["Protocol", info.protocolVersion],
            ["Transport", info.transport],
            ["Capabilities", Object.keys(info.serverCapabilities).join(", ") || "none"],
            ["We declared", Object.keys(info.clientCapabilities).join(", ") || "none"],
          ]),
          ...(info.instructions === undefined
            ? []
            : ["", style.dim("Instructions"), block(info.instructions)]),
        ]),
      hint: suggest(["tools", "list"]),
    };
  });
}
