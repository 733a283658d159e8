/** @module `fettle server ping`: is it alive, and how quickly does it answer? */
import { withServer } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { serverFlags } from "./flags.ts";

export async function run(call: Call<typeof serverFlags, NoArguments>): Promise<Outcome> {
  return withServer(call, async ({ connection, plan, deadline }) => {
    const { method, result, durationMs } = await connection.ping({ signal: deadline.signal });
    // The stateless revision has no ping; saying what was asked instead keeps the answer honest.
    const asked = method === "ping" ? {} : { method };
    return {
      value: { target: plan.facts.label, status: "connected", ...asked, result, durationMs },
      human: () => text`${style.green("✓")} ${plan.facts.label} answers ${method} in ${durationMs} ms`,
    };
  });
}
