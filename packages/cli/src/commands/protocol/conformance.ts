/** @module `fettle protocol conformance`: does the server keep to the protocol? */
import { suiteReportOfRun, suites } from "@fettle/checks";
import { readFixtures } from "../../conformance/fixtures.ts";
import { runOrOutage } from "../../conformance/judged-suite.ts";
import { runProgress } from "../../conformance/run-progress.ts";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { reachOf } from "../../conformance/suite-reach.ts";
import { planUpload, uploadSuite } from "../../conformance/upload.ts";
import { checkTime, type Deadline, withSuiteDeadline } from "../../connection/deadline.ts";
import { planConnection, recorderFor } from "../../connection/open-server.ts";
import { withTraffic } from "../../connection/rpc-logs.ts";
import type { Outcome } from "../../output/printer.ts";
import { text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { protocolConformanceFlags } from "./flags.ts";

export async function run(call: Call<typeof protocolConformanceFlags, NoArguments>): Promise<Outcome> {
  const { flags, print, input, global } = call;
  const fixtures = await readFixtures(input, flags);
  const plan = await planConnection({ ...call, flags: { ...flags, clientCapabilities: undefined } });
  const upload = await planUpload(call);
  const recorder = recorderFor(plan.target);
  using progress = runProgress(call, plan.facts.label);
  const { protocolVersion, category, checkId, checkTimeout, fixtureProfile, reporter } = flags;
  const warnings: string[] = [];
  const target = plan.facts.label;
  const judge = ({ signal }: Deadline) =>
    suites.protocol.run(reachOf(plan, recorder, { protocolVersion }), {
      protocolVersion,
      categories: category,
      checkIds: checkId,
      checkTimeoutMs: checkTime(global.timeout, checkTimeout),
      fixtures,
      callReadOnly: flags.callReadOnly,
      officialFixtures: fixtureProfile === "official",
      onProgress: progress.tell,
      onWarning: (message) => warnings.push(message),
      signal,
    });
  const report = await runOrOutage(call, { kind: "protocol", target, protocolVersion }, () =>
    withSuiteDeadline(global.timeout, judge),
  );
  progress.done();
  for (const message of warnings) print.warn(text`${message}`);
  const suite = suiteReportOfRun("protocol", report);
  await uploadSuite(upload, "protocol", report.target, suite);
  const outcome = suiteOutcome(print, {
    report: suite,
    value: report,
    reporter,
    checkIds: checkId,
    required: flags.requireChecks ? "--require-checks" : undefined,
    verbose: flags.verbose,
  });
  return withTraffic(call, outcome, recorder, plan);
}
