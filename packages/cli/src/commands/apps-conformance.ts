/** @module `fettle apps conformance`: are a server's widgets what hosts expect? */
import { type AppsReport, suiteReportOf } from "@fettle/checks";
import { judgeApps } from "../conformance/apps-run.ts";
import { suiteOutcome } from "../conformance/suite-output.ts";
import { planUpload, uploadSuite } from "../conformance/upload.ts";
import type { Outcome } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { appsConformanceFlags } from "../registry/apps.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof appsConformanceFlags, NoArguments>): Promise<Outcome> {
  const { category: categories, checkId: checkIds, requireUi, reporter } = call.flags;
  const upload = await planUpload(call);
  const runs: { label: string; report: AppsReport }[] = [];
  // The server's connection is over, with its time-out and its retries, before anything is sent to the service.
  const { value } = await judgeApps(call, { categories, checkIds, requireUi }, (report) => {
    runs.push({ label: `Apps ${report.protocolVersion}`, report });
    return { value: report, human: () => text`${report.summary}` };
  });
  const { target } = runs[0]!.report;
  const report = suiteReportOf("apps", target, runs);
  await uploadSuite(upload, "apps", target, report);
  return suiteOutcome(call.print, { report, value, reporter, checkIds });
}
