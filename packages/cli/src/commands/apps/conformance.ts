/** @module `fettle apps conformance`: are a server's widgets what hosts expect? */
import { suiteReportOfRun } from "@fettle/checks";
import { usageError } from "../../cli-error.ts";
import { judgeApps } from "../../conformance/apps-run.ts";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { planUpload, uploadSuite } from "../../conformance/upload.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { appsConformanceFlags } from "./flags.ts";

export async function run(call: Call<typeof appsConformanceFlags, NoArguments>): Promise<Outcome> {
  const {
    category: categories,
    checkId: checkIds,
    requireUi,
    reporter,
    boot,
    browser,
    noSandbox,
  } = call.flags;
  if (!boot && (browser !== undefined || noSandbox)) {
    throw usageError(`${browser === undefined ? "--no-sandbox" : "--browser"} only goes with --boot.`);
  }
  const upload = await planUpload(call);
  // The server's connection is over, with its time-out and its retries, before anything is sent to the service.
  const { report: judged, value } = await judgeApps(call, {
    categories,
    checkIds,
    requireUi,
    boot: boot ? { browser, noSandbox } : undefined,
  });
  const { target } = judged;
  const report = suiteReportOfRun("apps", judged);
  await uploadSuite(upload, "apps", target, report);
  return suiteOutcome(call.print, {
    report,
    value,
    reporter,
    checkIds,
    required: requireUi ? "--require-ui" : undefined,
    verbose: call.flags.verbose,
  });
}
