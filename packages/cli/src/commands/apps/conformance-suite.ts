/** @module `fettle apps conformance-suite`: several sets of checks on one server, from a file. */
import { appsCategories, requiring, suiteReportOf } from "@fettle/checks";
import * as z from "zod";
import { type JudgedApps, judgeApps } from "../../conformance/apps-run.ts";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { SuiteTarget, targetFlags } from "../../conformance/suite-target.ts";
import { sharedTime } from "../../connection/deadline.ts";
import { protocolVersions } from "../../connection/flags.ts";
import { parseWith } from "../../input/parse-with.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { appsSuiteFlags } from "./flags.ts";

const Run = z.strictObject({
  label: z.string().min(1).optional(),
  checkIds: z.array(z.string()).optional(),
  categories: z.array(z.enum(appsCategories)).optional(),
  requireUi: z.boolean().optional(),
  protocolVersion: z.enum(protocolVersions).optional(),
});

const Suite = z.strictObject({
  name: z.string().min(1).optional(),
  target: SuiteTarget,
  defaults: Run.omit({ label: true }).default({}),
  runs: z.array(Run).min(1),
});

export async function run(call: Call<typeof appsSuiteFlags, NoArguments>): Promise<Outcome> {
  const { config, reporter, requireUi, verbose } = call.flags;
  const document = await call.input.jsonObject("--config", config === "-" ? "-" : `@${config}`);
  const { name, target, defaults, runs } = parseWith(Suite, document, "--config");
  const { flags, timeout } = targetFlags(target);
  const done: { label: string; report: JudgedApps["report"]; isRequired: boolean }[] = [];
  const left = sharedTime(call.global.timeout);
  for (const [index, own] of runs.entries()) {
    const {
      label = `Run ${index + 1}`,
      protocolVersion,
      ...options
    } = {
      ...defaults,
      ...own,
      ...(requireUi && { requireUi }),
    };
    const { report } = await judgeApps(
      { ...call, flags: { ...flags, protocolVersion } },
      options,
      () => left() ?? timeout,
    );
    done.push({ label, report, isRequired: options.requireUi ?? false });
  }
  const report = requiring(
    suiteReportOf("apps", name ?? "apps", done),
    requireUi ? "--require-ui" : "requireUi",
    (place) => done[place]?.isRequired ?? false,
  );
  const value = {
    name: report.name,
    target: done[0]?.report.target,
    passed: report.passed,
    outcome: report.outcome,
    results: done.map(({ label, report: result }) => ({ label, ...result })),
    summary: done.map(({ label, report: { summary } }) => `${label}: ${summary}`).join("; "),
    durationMs: report.durationMs,
  };
  return suiteOutcome(call.print, { report, value, reporter, verbose });
}
