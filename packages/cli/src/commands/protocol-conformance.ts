/** @module `fettle protocol conformance`: does the server keep to the protocol? */
import { protocolSuiteReportOf, runProtocol } from "@fettle/checks";
import { readFixtures } from "../conformance/fixtures.ts";
import { runProgress } from "../conformance/run-progress.ts";
import { suiteOutcome } from "../conformance/suite-output.ts";
import { planUpload, uploadSuite } from "../conformance/upload.ts";
import { endingChildren } from "../connection/deadline.ts";
import { asCliError } from "../connection/failure.ts";
import { planConnection, recorderFor } from "../connection/open-server.ts";
import { authorizeFrom } from "../connection/renewal.ts";
import { withTraffic } from "../connection/rpc-logs.ts";
import type { Outcome } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { Call, NoArguments } from "../registry/command.ts";
import type { protocolConformanceFlags } from "../registry/protocol.ts";
import { version } from "../version.ts";

export async function run(call: Call<typeof protocolConformanceFlags, NoArguments>): Promise<Outcome> {
  const { flags, print, input } = call;
  const fixtures = await readFixtures(input, flags);
  const plan = await planConnection({ ...call, flags: { ...flags, clientCapabilities: undefined } });
  const upload = await planUpload(call);
  const recorder = recorderFor(plan.target);
  using progress = runProgress(call, plan.facts.label);
  const { protocolVersion, category, checkId, checkTimeout, fixtureProfile, reporter } = flags;
  const warnings: string[] = [];
  const report = await endingChildren(
    runProtocol(plan.target, {
      protocolVersion,
      categories: category,
      checkIds: checkId,
      checkTimeoutMs: checkTimeout,
      fixtures,
      officialFixtures: fixtureProfile === "official",
      checkerVersion: version,
      recorder,
      authorize: plan.renewal && authorizeFrom(plan.renewal, plan.target, protocolVersion, recorder),
      onProgress: progress.tell,
      onWarning: (message) => warnings.push(message),
    }),
  ).catch((error: unknown) => {
    throw asCliError(error);
  });
  progress.done();
  for (const message of warnings) print.warn(text`${message}`);
  const suite = protocolSuiteReportOf(report);
  await uploadSuite(upload, "protocol", report.target, suite);
  const outcome = suiteOutcome(print, { report: suite, value: report, reporter, checkIds: checkId });
  return withTraffic(call, outcome, recorder, plan);
}
