/** @module `fettle tasks conformance`: does long work at this server go by the rules? */
import { suiteReportOfRun, suites } from "@fettle/checks";
import { usageError } from "../../cli-error.ts";
import { runOrOutage } from "../../conformance/judged-suite.ts";
import { runProgress } from "../../conformance/run-progress.ts";
import { suiteOutcome } from "../../conformance/suite-output.ts";
import { reachOf } from "../../conformance/suite-reach.ts";
import { planUpload, uploadSuite } from "../../conformance/upload.ts";
import { checkTime, type Deadline, withSuiteDeadline } from "../../connection/deadline.ts";
import { planConnection, recorderFor } from "../../connection/open-server.ts";
import { withTraffic } from "../../connection/rpc-logs.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { tasksConformanceFlags } from "./flags.ts";

export async function run(call: Call<typeof tasksConformanceFlags, NoArguments>): Promise<Outcome> {
  const { flags, print, input, global } = call;
  const { toolName, toolArgs, inputResponses, protocolVersion, reporter } = flags;
  if (toolArgs !== undefined && toolName === undefined) {
    throw usageError("--tool-args needs --tool-name: without it nobody knows whose arguments they are.");
  }
  const given = (name: string, json: string | undefined) =>
    json === undefined ? undefined : input.jsonObject(name, json);
  const probe = {
    toolName,
    callReadOnly: flags.callReadOnly,
    toolArgs: await given("--tool-args", toolArgs),
    inputResponses: await given("--input-responses", inputResponses),
  };
  const plan = await planConnection({ ...call, flags: { ...flags, clientCapabilities: undefined } });
  const upload = await planUpload(call);
  const recorder = recorderFor(plan.target);
  using progress = runProgress(call, plan.facts.label);
  const judge = ({ signal }: Deadline) =>
    suites.tasks.run(reachOf(plan, recorder, { protocolVersion, timeoutMs: checkTime(global.timeout) }), {
      ...probe,
      protocolVersion,
      categories: flags.category,
      checkIds: flags.checkId,
      pollTimeoutMs: flags.pollTimeout,
      onProgress: progress.tell,
      signal,
    });
  const subject = { kind: "tasks" as const, target: plan.facts.label, protocolVersion };
  const value = await runOrOutage(call, subject, () => withSuiteDeadline(global.timeout, judge));
  progress.done();
  const report = suiteReportOfRun("tasks", value);
  await uploadSuite(upload, "tasks", value.target, report);
  const outcome = suiteOutcome(print, {
    report,
    value,
    reporter,
    checkIds: flags.checkId,
    required: flags.requireTasks ? "--require-tasks" : undefined,
    verbose: flags.verbose,
  });
  return withTraffic(call, outcome, recorder, plan);
}
