/** @module `fettle oauth conformance-suite`: the flows of a file, one after the other, and the worst of their verdicts. */
import { type LabelledReport, oauthSuiteReportOf, oauthSuiteResultOf, unstartedOauth } from "@fettle/checks";
import { isMcpError, type McpError } from "@fettle/mcp";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { sharedTime } from "../../connection/deadline.ts";
import { judgedStoryText } from "../../oauth/flow-text.ts";
import { judgeFlow, verificationOf } from "../../oauth/judged-flow.ts";
import { keepJudgedCredentials } from "../../oauth/kept-credentials.ts";
import { readSuiteFile } from "../../oauth/suite-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { oauthConformanceSuiteFlags } from "./flags.ts";

export async function run(call: Call<typeof oauthConformanceSuiteFlags, NoArguments>): Promise<Outcome> {
  const { flags, world, print, input } = call;
  const suite = readSuiteFile(
    await input.jsonObject("--config", flags.config === "-" ? "-" : `@${flags.config}`),
  );
  const verification = verificationOf(flags);
  const started = performance.now();
  const results: LabelledReport[] = [];
  let credentialsFile: string | undefined;
  const left = sharedTime(call.global.timeout);
  for (const { label, plan } of suite.flows) {
    const timeout = timeOrFailure(left);
    if (isMcpError(timeout)) {
      results.push({ ...(label !== undefined && { label }), ...unstartedOauth(plan, timeout) });
      continue;
    }
    const judged = await judgeFlow(
      { ...plan, ...(verification && { verification }) },
      { world, print, timeout, promisedMs: call.global.timeout },
    );
    const isFirst = credentialsFile === undefined && judged.gains.tokens !== undefined;
    const kept = await keepJudgedCredentials(world, isFirst ? flags.credentialsOut : undefined, judged);
    credentialsFile ??= kept.credentialsFile;
    results.push({ ...(label !== undefined && { label }), ...judged.report, ...kept });
  }
  const durationMs = performance.now() - started;
  const outcome = suiteOutcome(print, {
    report: oauthSuiteReportOf(suite.name, results, durationMs),
    value: oauthSuiteResultOf(suite, results, durationMs),
    reporter: flags.reporter,
    required: flags.requireAuth ? "--require-auth" : undefined,
  });
  return {
    ...outcome,
    human: () =>
      lines(
        results.flatMap((result, index) => [
          style.bold(text`${result.label ?? `Flow ${index + 1}`}`),
          judgedStoryText(result.steps),
          text`${result.outcome}: ${result.summary}`,
          "",
        ]),
      ),
  };
}

/** What no time is left for is told like the rest. */
function timeOrFailure(left: () => number | undefined): number | undefined | McpError {
  try {
    return left();
  } catch (error) {
    if (isMcpError(error)) return error;
    throw error;
  }
}
