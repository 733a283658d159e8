/** @module `fettle protocol conformance-suite`: several runs, as a file says. */
import { protocolSuiteReportOfAll, runProtocolSuite } from "@fettle/checks";
import { readProtocolSuite } from "../conformance/protocol-suite-config.ts";
import { runProgress } from "../conformance/run-progress.ts";
import { suiteOutcome } from "../conformance/suite-output.ts";
import { endingChildren } from "../connection/deadline.ts";
import { asCliError } from "../connection/failure.ts";
import type { Outcome } from "../output/printer.ts";
import type { Call, NoArguments } from "../registry/command.ts";
import type { suiteConfigFlags } from "../registry/conformance-flags.ts";
import { version } from "../version.ts";

export async function run(call: Call<typeof suiteConfigFlags, NoArguments>): Promise<Outcome> {
  const { flags, print, input } = call;
  const { config, reporter } = flags;
  const document = await input.jsonObject("--config", config === "-" ? "-" : `@${config}`);
  const { name, runs } = readProtocolSuite(document, "--config", version);
  using progress = runProgress(call, name);
  const told = runs.map(({ options, ...rest }) => ({
    ...rest,
    options: { ...options, onProgress: progress.tell },
  }));
  const result = await endingChildren(runProtocolSuite(name, told)).catch((error: unknown) => {
    throw asCliError(error);
  });
  progress.done();
  return suiteOutcome(print, { report: protocolSuiteReportOfAll(result), value: result, reporter });
}
