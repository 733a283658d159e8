/** @module `fettle server capabilities`: what the server says it can do. */
import { withServer } from "../../connection/open-server.ts";
import { outline } from "../../output/outline.ts";
import type { Outcome } from "../../output/printer.ts";
import { style } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { serverFlags } from "./flags.ts";

export async function run(call: Call<typeof serverFlags, NoArguments>): Promise<Outcome> {
  return withServer(call, async ({ connection, plan }) => {
    const { capabilities } = connection;
    return {
      value: { target: plan.facts.label, capabilities },
      human: () => (Object.keys(capabilities).length === 0 ? style.dim("none") : outline(capabilities)),
    };
  });
}
