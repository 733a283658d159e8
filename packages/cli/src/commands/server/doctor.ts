/** @module `fettle server doctor`: is this server well? A verdict on each step, and for each fault the cause, the evidence and what to try. */
import { type DoctorReport, doctor, readOnlyCalls } from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { withDeadline } from "../../connection/deadline.ts";
import { doctorText } from "../../connection/doctor-text.ts";
import { planConnection, recorderFor, retried } from "../../connection/open-server.ts";
import { authorizeFrom } from "../../connection/renewal.ts";
import { withTraffic } from "../../connection/rpc-logs.ts";
import { suggest } from "../../connection/suggest.ts";
import { writeOutFile } from "../../output/out-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { version } from "../../version.ts";
import type { doctorFlags } from "./flags.ts";

const steps = {
  probe: "Looking at it from outside",
  connection: "Connecting",
  lists: "Listing what it offers",
  endpoints: "Looking for MCP at other addresses",
};

export async function run(call: Call<typeof doctorFlags, NoArguments>): Promise<Outcome> {
  const { flags, print, world } = call;
  const plan = await planConnection(call);
  const recorder = recorderFor(plan.target);
  let done = () => {};
  const progress = (line: string) => {
    done();
    done = world.stderr.isTTY ? print.progress(text`${line} ...`) : () => {};
  };
  const examine = () =>
    withDeadline(plan.timeoutMs, ({ timeoutMs, signal }) =>
      doctor(plan.target, {
        timeoutMs,
        signal,
        recorder,
        protocolVersion: flags.protocolVersion,
        capabilities: plan.capabilities,
        clientInfo: { name: "fettle", version },
        held: plan.held,
        authorize: plan.renewal && authorizeFrom(plan.renewal, plan.target, flags.protocolVersion, recorder),
        callsOf: flags.callReadOnly ? readOnlyCalls : undefined,
        now: world.now,
        onStep: (step) => progress(steps[step]),
      }),
    );
  const report = await retried(call, examine, passingFault).finally(() => done());
  const artifact =
    flags.out === undefined
      ? undefined
      : await writeOutFile(world, flags.out, `${JSON.stringify(report, null, 2)}\n`);
  const outcome: Outcome = {
    value: report,
    human: (view) => doctorText(report, view, { advise: call.advise, artifact }),
    hint: report.status === "ready" ? suggest(["tools", "list"]) : undefined,
    exitCode: report.status === "ready" ? exitCodes.ok : exitCodes.failed,
  };
  return withTraffic(call, outcome, recorder, plan);
}

const passingCauses = new Set([
  "CONNECTION_REFUSED",
  "CONNECTION_LOST",
  "HOST_NOT_FOUND",
  "HOST_UNREACHABLE",
  "RATE_LIMITED",
  "SERVER_ERROR",
  "TUNNEL_DOWN",
  "TUNNEL_SILENT",
]);

function passingFault({ status, findings: [worst] }: DoctorReport): string | undefined {
  return status === "error" && worst && passingCauses.has(worst.code) ? worst.summary : undefined;
}
