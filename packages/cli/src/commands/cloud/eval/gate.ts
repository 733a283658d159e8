/** @module `fettle cloud eval gate`: holds a run to a policy and exits by the decision; the report is out before that. */
import { exitCodes } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { gateExitCode } from "@fettle/evals";
import { CliError, usageError } from "../../../cli-error.ts";
import { type InProject, inProject } from "../../../cloud/in-project.ts";
import { type Asked, readPolicy } from "../../../eval/gate-policy.ts";
import { comparedText, outcomeText, verdictText } from "../../../eval/gate-text.ts";
import { type Decided, decideHosted, unread } from "../../../eval/hosted-gate.ts";
import { flushReport, type HostedReport } from "../../../eval/hosted-report.ts";
import { isOpen, judgeRun, watchRuns } from "../../../eval/hosted-wait.ts";
import { refuseMissingFolder } from "../../../output/out-file.ts";
import type { Outcome } from "../../../output/printer.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { gateFlags } from "./gates-flags.ts";

type GateCall = Call<typeof gateFlags, NoArguments>;

export async function run(call: GateCall): Promise<Outcome> {
  const { flags, print } = call;
  const asked = readPolicy(flags);
  await refuseMissingFolder(call.world, flags);
  if (flags.waitTimeout !== undefined && !flags.wait) throw usageError("--wait-timeout needs --wait.");
  const { place, decided } = await decide(call, asked);
  const { gate, baselineComparison, run: seen } = decided;
  const { written, error: unwritten } = await flushReport(call, flags, reportOf(decided, place));
  const { comparison, ...told } = gate;
  const decision = gateExitCode[gate.outcome];
  const outcome: Outcome = {
    value: {
      ...(place && { project: place.scope.project }),
      runId: asked.runId,
      gate: told,
      exitCode: decision,
      ...(baselineComparison && { baselineComparison }),
    },
    human: ({ width }) =>
      lines([
        ...(comparison ? comparedText(comparison, width) : []),
        ...verdictText(gate.verdicts),
        "",
        outcomeText[gate.outcome],
        ...(decided.waiver
          ? [text`  ${style.dim("Waived until")} ${new Date(decided.waiver.expiresAt).toISOString()}`]
          : []),
        ...(seen ? [text`View: ${seen.viewUrl}`] : []),
        ...(written === undefined ? [] : [text`Report: ${written}`]),
      ]),
    hint: hintOf(asked, decided, flags.wait),
    silent: flags.reporter !== undefined,
    exitCode: decision,
  };
  if (gate.outcome === "usage_error") throw faultOf(decided);
  if (!unwritten) return outcome;
  print.result(outcome);
  // What could not be written says nothing about the server, and hides nothing that does.
  throw new CliError(unwritten.code, unwritten.message, {
    hint: unwritten.hint ?? "",
    exitCode: decision === exitCodes.failed ? decision : exitCodes.incomplete,
    cause: unwritten,
  });
}

async function decide(
  call: GateCall,
  asked: Asked,
): Promise<{ place: InProject | undefined; decided: Decided }> {
  let place: InProject | undefined;
  try {
    place = await inProject(call);
    return { place, decided: await readAndDecide(call, place, asked) };
  } catch (error) {
    // A flag or a key that cannot be one is the caller's to mend, and never better at the next try.
    if (error instanceof CliError && error.exitCode === exitCodes.usage) throw error;
    return { place, decided: unread(error) };
  }
}

async function readAndDecide(call: GateCall, place: InProject, asked: Asked): Promise<Decided> {
  const { client, projectId } = place;
  const { flags, world } = call;
  const { runId } = asked;
  if (flags.wait) {
    const { runs } = await watchRuns(call, place, [runId], flags.waitTimeout);
    const { errors, judged, seen } = must(runs[0], "the run that was waited for");
    const known = { ...(seen && { run: seen }), ...(judged && { judged }) };
    if (!judged || errors[0]) return { ...unread(errors[0]), ...known };
    return { ...(await decideHosted(place, asked, judged, world.now())), ...known };
  }
  const run = await client.getEvalRun({ projectId, runId });
  const judged = await judgeRun(place, run);
  return { ...(await decideHosted(place, asked, judged, world.now())), run };
}

function hintOf({ runId }: Asked, { gate, run: seen }: Decided, isWaiting: boolean) {
  if (seen && isOpen(seen) && !isWaiting) return style.cyan(`fettle cloud eval gate --run ${runId} --wait`);
  return gate.outcome === "failed"
    ? style.cyan(`fettle cloud eval iterations --run ${runId} --result failed`)
    : undefined;
}

/** What was asked cannot be asked of this run. */
function faultOf({ gate, judged }: Decided): CliError {
  const scorers = judged?.facts.cases.flatMap(({ definitions }) => definitions) ?? [];
  const named = new Set(
    scorers.flatMap(({ scorerId, idSource }) => (idSource === "generated" ? [] : scorerId)),
  );
  return usageError(gate.verdicts.map(({ message }) => message).join(" "), {
    details: { gate },
    ...(named.size > 0 && { choices: [...named], hint: "Name one of the run's scorers." }),
  });
}

const classes: Partial<Record<Decided["gate"]["outcome"], string>> = {
  failed: "breaking",
  passed: "non_breaking",
};

function reportOf(decided: Decided, place: InProject | undefined): HostedReport {
  const { gate, judged, waiver, baselineComparison, run: seen } = decided;
  const { outcome, verdicts, scoreIntegrity } = gate;
  const isWaived = outcome === "waived";
  const bad = verdicts.filter(({ status }) => status !== "passed" && status !== "waived");
  const error = bad.map(({ gate: name, message }) => `${name}: ${message}`).join("\n");
  return {
    runs: judged ? [judged] : [],
    more: [
      {
        id: "gate",
        title: isWaived ? "Gate (waived)" : "Gate",
        category: "gate",
        passed: outcome === "passed" || isWaived,
        classification: classes[outcome] ?? "informational",
        ...(error !== "" && { error }),
        ...(outcome === "incomplete" && { skipped: error }),
        ...(isWaived && waiver && { waiver }),
        details: { outcome, verdicts, scoreIntegrity, ...(baselineComparison && { baselineComparison }) },
      },
    ],
    metadata: {
      ...(place && { project: place.scope.project }),
      ...(seen && { suite: { id: seen.suiteId, name: seen.suiteName } }),
      ...(baselineComparison && { baselineComparison }),
      ...(waiver && { waiver }),
    },
    passed: outcome === "passed" || isWaived,
  };
}
