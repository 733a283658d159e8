/** @module `fettle protocol conformance-suite`: several runs, as a file says. */
import { protocolSuiteReportOfAll, runProtocolSuite, suites } from "@fettle/checks";
import { targetLabel } from "@fettle/mcp";
import { runOrOutage } from "../../conformance/judged-suite.ts";
import { readProtocolSuite } from "../../conformance/protocol-suite-config.ts";
import { runProgress } from "../../conformance/run-progress.ts";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { checkTime, type Deadline, sharedTime, withSuiteDeadline } from "../../connection/deadline.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { protocolSuiteFlags } from "./flags.ts";

export async function run(call: Call<typeof protocolSuiteFlags, NoArguments>): Promise<Outcome> {
  const { flags, print, input } = call;
  const { config, reporter } = flags;
  const document = await input.jsonObject("--config", config === "-" ? "-" : `@${config}`);
  const { name, runs } = readProtocolSuite(document, "--config");
  using progress = runProgress(call, name);
  const left = sharedTime(call.global.timeout);
  const result = await runProtocolSuite(name, runs, ({ target, options }) => {
    const { protocolVersion, checkTimeoutMs } = options;
    const subject = { kind: "protocol" as const, target: targetLabel(target), protocolVersion };
    return runOrOutage(call, subject, async () => {
      const timeout = left();
      const judge = ({ signal }: Deadline) => {
        const checkMs = checkTime(timeout, checkTimeoutMs);
        const wishes = { ...options, checkTimeoutMs: checkMs, signal, onProgress: progress.tell };
        return suites.protocol.run({ target }, wishes);
      };
      return withSuiteDeadline(timeout, judge, call.global.timeout);
    });
  });
  progress.done();
  return suiteOutcome(print, {
    report: protocolSuiteReportOfAll(result),
    value: result,
    reporter,
    required: flags.requireChecks ? "--require-checks" : undefined,
    verbose: flags.verbose,
  });
}
