/** @module `fettle tasks capabilities`: whether a server offers tasks, and which way. */
import { isObject, taskWireOf } from "@fettle/mcp";
import { withServer } from "../../connection/open-server.ts";
import { outline } from "../../output/outline.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts } from "../../output/table.ts";
import { lines } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { tasksFlags } from "./flags.ts";

export async function run(call: Call<typeof tasksFlags, NoArguments>): Promise<Outcome> {
  return withServer(call, async ({ connection, plan }) => {
    const wire = taskWireOf(connection);
    const { capabilities, protocolVersion } = connection;
    const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {};
    const advertised = wire === "legacy" ? capabilities.tasks : extensions["io.modelcontextprotocol/tasks"];
    return {
      value: { target: plan.facts.label, wire, protocolVersion, capabilities: advertised ?? null },
      human: () =>
        lines([
          facts([
            ["Tasks", wire === "none" ? "none" : wire],
            ["Protocol", protocolVersion],
          ]),
          ...(wire === "legacy" ? ["", outline(advertised)] : []),
        ]),
    };
  });
}
