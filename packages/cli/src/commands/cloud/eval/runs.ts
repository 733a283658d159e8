/** @module `cloud eval`: launching runs of a suite and reading what became of them. */
import type { EvalRun, EvalRunDetail } from "@fettle/contract/evals";
import { operationCommand } from "../../../cloud/operation-command.ts";
import { count } from "../../../output/table.ts";
import { lines, style, type Text, text } from "../../../output/text.ts";
import { command } from "../../../program/command.ts";
import { evalRunFlags } from "./runs-flags.ts";

export const run = { parameter: "runId", value: "id", help: "The run" } as const;

const iteration = { parameter: "iterationId", value: "id", help: "One of its repetitions" } as const;

const cursor = { field: "cursor", value: "text", help: "Go on after the page that answered it" } as const;

const limit = { field: "limit", value: "n", help: "One page of so many; else all" } as const;

export const cloudEvalRunsCommands = [
  command({
    name: "cloud eval run",
    section: "cloud",
    operations: ["createEvalRun", "createEvalRunGroup"],
    summary: "Run a suite in the service, or a suite file that is uploaded first",
    description: [
      "Prints where each run can be watched, and returns. Nothing attached: the saved servers; one environment or client attached: that; several: name one, some by repeating, or all with --all-targets, each a run of its own in one group. --compose-host makes an environment for this run only; --save-targets also attaches it to the suite.",
      " --file owns the suite that it declares by suite.id: its cases are created, changed and deleted to match before the launch; the same file and flags again answer the run that they started.",
      "Without --wait exits 0 when all were started, else 1. With --wait: 0 when every run passed, 1 only when one failed, 2 when the flags, the file or the launch were refused, 3 without access, 4 when not all could be started or --out not be written, 5 when there is no verdict; of several the worst, 1 before 3, 4 and 5.",
    ],
    arguments: {},
    flags: evalRunFlags,
    examples: [
      { command: "fettle cloud eval run --suite Checkout", does: "Launch, and say where to look" },
      { command: "fettle cloud eval run --file suite.yaml --wait", does: "Upload, run, and exit by verdict" },
      {
        command: "fettle cloud eval run --suite Checkout --all-targets --wait",
        does: "One run for each attached environment",
      },
      {
        command: "fettle cloud eval run --file suite.yaml --wait --reporter junit-xml --out results.xml",
        does: "With a report",
      },
    ],
    load: () => import("./run.ts"),
  }),
  operationCommand({
    operation: "listEvalRuns",
    name: "cloud eval runs",
    summary: "List runs, newest first",
    flags: {
      suite: { field: "suiteId", find: "suite", value: "id-or-name", help: "Only of this suite" },
      status: { field: "status", help: "Only those" },
      "commit-sha": { field: "commitSha", value: "sha", help: "Only of this commit" },
      cursor,
      limit,
    },
    examples: { "The last ten of one": "fettle cloud eval runs --suite Checkout --limit 10" },
    shows: {
      noun: "run",
      namesProject: true,
      table: {
        ID: "id",
        SUITE: "suiteName",
        RUN: "runNumber",
        STATE: stateOf,
        PASSED: passedOf,
        TARGET: ({ target }) => target.name,
        STARTED: ({ createdAt }) => new Date(createdAt).toISOString(),
      },
      shrinks: ["SUITE", "TARGET"],
    },
    next: ({ items: [first] }) => first && `fettle cloud eval status --run ${first.id}`,
  }),
  operationCommand({
    operation: "deleteEvalRun",
    name: "cloud eval runs delete",
    summary: "Delete a finished run with its iterations and traces",
    description: ["You can delete your own runs; project admins can delete any. Cancel a running one first."],
    flags: { run },
    examples: { "Without asking": "fettle cloud eval runs delete --run evr_1 --yes" },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "getEvalRun",
    name: "cloud eval status",
    summary: "How a run stands, or how it ended",
    flags: { run },
    examples: { "Of one run": "fettle cloud eval status --run evr_1" },
    value: (found, { project }) => ({ project, run: found }),
    shows: { text: statusText },
    next: ({ id }) => `fettle cloud eval iterations --run ${id}`,
  }),
  operationCommand({
    operation: "listEvalRunIterations",
    name: "cloud eval iterations",
    summary: "List a run's repetitions with what each came to",
    flags: {
      run,
      result: { field: "result", help: "Only those that passed, or failed" },
      status: { field: "status", help: "Only those" },
      case: { field: "caseKey", value: "id", help: "Only of this case" },
      order: { field: "order", help: "As they were asked for, or failures first" },
      cursor,
      limit,
    },
    examples: { "What failed": "fettle cloud eval iterations --run evr_1 --result failed" },
    shows: {
      noun: "repetition",
      table: {
        ID: "id",
        CASE: "title",
        "#": "iterationNumber",
        STATE: ({ result, status }) => resultWord(result) ?? status,
        CALLS: ({ actualToolCalls }) => actualToolCalls.length,
        TOOK: ({ durationMs }) => (durationMs === null ? "-" : `${Math.round(durationMs)} ms`),
        WHY: ({ error }) => error ?? "",
      },
      shrinks: ["WHY", "CASE"],
    },
  }),
  operationCommand({
    operation: "getEvalIterationTrace",
    name: "cloud eval trace",
    summary: "Show everything said and called in one repetition; can be large",
    flags: { run, iteration },
    examples: { "As JSON": "fettle cloud eval trace --run evr_1 --iteration ei_1 --format json" },
    value: ({ runId, iterationId, ...trace }, { project }) => ({ project, runId, iterationId, trace }),
    shows: "outline",
  }),
  operationCommand({
    operation: "getEvalRunSteps",
    name: "cloud eval steps",
    summary: "List the steps of one repetition with what each came to",
    flags: { run, iteration },
    examples: { "Of one repetition": "fettle cloud eval steps --run evr_1 --iteration ei_1" },
    shows: {
      noun: "step",
      table: { STEP: "stepId", KIND: "kind", STATE: "status", WHY: ({ reason }) => reason ?? "" },
      shrinks: ["WHY"],
    },
  }),
  operationCommand({
    operation: "requestEvalRunJudge",
    name: "cloud eval judge",
    summary: "Grade a finished run with a model, which spends; the grades are in its status",
    description: [
      "Answers at once that it is asked for. The grades are advice and change no result. Without --judge-model and --judge-threshold the suite's own are used, and what an earlier call said for this run is forgotten.",
    ],
    flags: {
      run,
      force: { field: "force", help: "Grade again what is graded, which spends again" },
      enable: { field: "enable", help: "Grade a run that was recorded with the judge off" },
      "judge-model": { field: "model", value: "id", help: "The model that grades, for this run" },
      "judge-threshold": {
        field: "threshold",
        value: "share",
        help: "From which score on a case passes, for this run",
      },
    },
    examples: { "Of one run": "fettle cloud eval judge --run evr_1 --enable" },
    value: (answer, { project }) => ({ project, judge: answer }),
    shows: { text: ({ runId }) => text`${style.green("✓")} ${style.bold(runId)} is being graded` },
    next: ({ runId }) => `fettle cloud eval status --run ${runId}`,
  }),
  operationCommand({
    operation: "cancelEvalRun",
    name: "cloud eval cancel",
    summary: "Stop a run that has not ended; what has settled is kept",
    flags: { run },
    examples: { "Stop it": "fettle cloud eval cancel --run evr_1" },
    value: (found, { project }) => ({ project, run: found }),
    shows: { text: statusText },
  }),
];

function resultWord(result: string | null): Text | undefined {
  if (result === null) return undefined;
  const styles: Record<string, (word: string) => Text> = { passed: style.green, failed: style.red };
  return (styles[result] ?? style.yellow)(result);
}

function stateOf({ result, status }: EvalRun) {
  return resultWord(result) ?? status;
}

/** In a sentence, where a column has no room. */
function passedWords({ progress: { passed, settled, total }, status }: EvalRun): string {
  const isUnderWay = status === "pending" || status === "running";
  return isUnderWay
    ? `${settled} of ${count(total, "repetition")} done, ${passed} passed`
    : `${passed} of ${count(total, "repetition")} passed`;
}

function passedOf({ progress: { passed, settled, total } }: EvalRun): string {
  return settled < total ? `${passed}, ${settled}/${total} settled` : `${passed}/${total}`;
}

const nothingGraded = "None that has a result says what a good answer is: say it in `expectedOutput`.";

/** A line for each judge that has graded. */
function judgesText({ judges = {} }: { judges?: EvalRunDetail["judges"] }): Text[] {
  return Object.entries(judges).flatMap(([name, judge]) => {
    if (!judge?.status) return [];
    const passed = judge.cases.filter((one) => one.passed).length;
    if (judge.status === "completed" && judge.cases.length === 0)
      return [text`  Judge ${name}: graded no case. ${nothingGraded}`];
    return judge.status === "completed"
      ? [
          text`  Judge ${name}: ${passed}/${judge.cases.length} passed at threshold ${judge.threshold ?? "-"} ${style.dim(`- ${judge.modelUsed ?? ""}`)}`,
        ]
      : [text`  Judge ${name}: ${judge.status} ${judge.errorCode ?? ""}`];
  });
}

function statusText(run: EvalRun & Partial<Pick<EvalRunDetail, "judges" | "warnings">>): Text {
  const { suiteName, runNumber, target, error, reasons, gateWaiver, viewUrl } = run;
  return lines([
    text`${style.bold(suiteName)} run ${runNumber}: ${stateOf(run)}, ${passedWords(run)} ${style.dim(`against ${target.name}`)}`,
    ...(error === null ? [] : [text`  ${error}`]),
    ...(run.warnings ?? []).map((warning) => text`  ${style.yellow("!")} ${warning}`),
    ...reasons.map((reason) => text`  ${reason}`),
    ...(gateWaiver
      ? [text`  Waived until ${new Date(gateWaiver.expiresAt).toISOString()}: ${gateWaiver.reason}`]
      : []),
    ...judgesText(run),
    text`View: ${viewUrl}`,
  ]);
}
