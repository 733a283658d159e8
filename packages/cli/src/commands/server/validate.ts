/** @module `fettle server validate`: connects, lists the tools once, and fails on what a host would refuse. For scripts. */
import {
  factsOf,
  initInfoOf,
  judgeInputSchemas,
  judgeWire,
  refusedNames,
  severityFor,
  type WireFault,
} from "@fettle/checks";
import { loadHosts, redactKnowing, secretsOf } from "@fettle/mcp";
import { operationalError } from "../../cli-error.ts";
import { withDebugArtifact } from "../../connection/debug-artifact.ts";
import { planConnection, recorderFor, withPlan } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { probeFlags } from "./flags.ts";

export async function run(call: Call<typeof probeFlags, NoArguments>): Promise<Outcome> {
  const plan = await planConnection(call);
  const recorder = recorderFor(plan.target);
  const subject = { name: "server validate", input: {}, plan, path: call.flags.debugOut };
  return withDebugArtifact(call, subject, recorder, () =>
    withPlan(
      call,
      plan,
      async ({ connection, deadline }) => {
        const hasTools = "tools" in connection.capabilities;
        const { items, problems } = hasTools
          ? await connection.listTools({ signal: deadline.signal })
          : { items: [], problems: [] };
        const { problems: noticed, protocolVersion, transport } = connection;
        const broken = judgeWire(noticed, { version: protocolVersion, transport });
        const refused = (faults: readonly WireFault[]) =>
          faults.filter((fault) => severityFor("use", fault) === "error").map(({ sentence }) => sentence);
        const seen = [
          ...refused(broken),
          ...problems
            .filter(({ isRepetition }) => !isRepetition)
            .map(({ name, index, reason }) => `${name ?? `tool ${index + 1}`}: ${reason}`),
          ...refused(judgeInputSchemas(items, protocolVersion)),
          ...refusedNames((await loadHosts()).map(factsOf), items).map(({ sentence }) => sentence),
        ];
        if (seen.length > 0) {
          const faults = redactKnowing(seen, secretsOf(plan.target));
          throw operationalError(
            `The server connects, but clients would refuse ${count(faults.length, "thing")}: ${faults[0]}`,
            {
              details: { cause: broken.length > 0 ? "WIRE_RULE_BROKEN" : "BAD_SCHEMA", faults },
              hint: "Run `fettle server doctor` for details and what to do.",
            },
          );
        }
        return {
          value: {
            success: true,
            status: "connected",
            target: plan.facts.label,
            initInfo: initInfoOf(connection),
          },
          human: () =>
            text`${style.green("✓")} ${plan.facts.label} is valid: ${count(items.length, "tool")}, ${connection.transport}, protocol ${connection.protocolVersion}`,
        };
      },
      { recorder },
    ),
  );
}
