/** @module `fettle apps conformance`: are a server's widgets what hosts expect? */
import { suiteReportOf } from "@fettle/checks";
import { judgeApps } from "../conformance/apps-run.ts";
import { suiteOutcome } from "../conformance/suite-output.ts";
import type { Outcome } from "../output/printer.ts";
import type { appsConformanceFlags } from "../registry/apps.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof appsConformanceFlags, NoArguments>): Promise<Outcome> {
  const { category: categories, checkId: checkIds, requireUi, reporter } = call.flags;
  return judgeApps(call, { categories, checkIds, requireUi }, (value) => {
    const label = `Apps ${value.protocolVersion}`;
    const report = suiteReportOf("apps", value.target, [{ label, report: value }]);
    return suiteOutcome(call.print, { report, value, reporter });
  });
}
