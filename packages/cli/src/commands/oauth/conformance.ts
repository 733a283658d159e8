/** @module `fettle oauth conformance`: one flow held to the letter, and what must be refused. */
import { oauthSuiteReportOf } from "@fettle/checks";
import { parseTarget, targetLabel } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { planUpload, uploadSuite } from "../../conformance/upload.ts";
import { planFlow } from "../../oauth/flow-input.ts";
import { judgedStoryText } from "../../oauth/flow-text.ts";
import { judgeFlow, verificationOf } from "../../oauth/judged-flow.ts";
import { keepJudgedCredentials } from "../../oauth/kept-credentials.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { oauthConformanceFlags } from "./flags.ts";

export async function run(call: Call<typeof oauthConformanceFlags, NoArguments>): Promise<Outcome> {
  const { flags, world, print } = call;
  const plan = await planFlow(flags, call.input);
  if (flags.printUrl && plan.authMode !== "interactive") {
    throw usageError("--print-url goes with --auth-mode interactive: nobody else is sent to an address.");
  }
  if (flags.checkRefresh && !flags.conformanceChecks) {
    throw usageError("--check-refresh goes with --conformance-checks.");
  }
  const upload = await planUpload(call);
  const judged = await judgeFlow(
    {
      ...plan,
      protocolVersion: flags.protocolVersion,
      registration: flags.registration,
      conformanceChecks: flags.conformanceChecks,
      checkRefresh: flags.checkRefresh,
      verification: verificationOf(flags),
    },
    { world, print, timeout: call.global.timeout, printUrl: flags.printUrl },
  );
  const { report } = judged;
  const kept = await keepJudgedCredentials(world, flags.credentialsOut, judged);
  const suite = oauthSuiteReportOf(report.serverUrl, [report], report.durationMs);
  await uploadSuite(upload, "oauth", targetLabel(parseTarget({ url: report.serverUrl })), suite);
  const outcome = suiteOutcome(print, {
    report: suite,
    value: { ...report, ...kept },
    reporter: flags.reporter,
    required: flags.requireAuth ? "--require-auth" : undefined,
  });
  return {
    ...outcome,
    human: () => lines([judgedStoryText(report.steps), "", text`${report.outcome}: ${report.summary}`]),
  };
}
