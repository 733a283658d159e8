/** @module Launches runs of the service: what is sent, under which key, and the receipt for it. */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, limits } from "@fettle/contract/core";
import type { EvalRunCreated, EvalRunGroupCreated } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import { digestOf, type MatchOptions } from "@fettle/evals";
import { usageError } from "../cli-error.ts";
import { finders } from "../cloud/finders.ts";
import type { InProject } from "../cloud/in-project.ts";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import { version } from "../version.ts";
import type { World } from "../world.ts";
import { ciFacts } from "./ci-facts.ts";
import { type Composed, compose } from "./compose.ts";
import { readHostedFile, requireLiveCalls } from "./hosted-file.ts";
import {
  type Chosen,
  chooseFromFile,
  chooseTarget,
  isSeveral,
  type LaunchTarget,
  launchTargets,
  type Place,
  type TargetFlags,
} from "./hosted-target.ts";
import { caseRefusal, launchRefusal } from "./launch-refusals.ts";
import { takeBack, uploadSuite } from "./suite-upload.ts";

export interface LaunchWanted {
  from: { suite: string } | { file: string };
  target: TargetFlags;
  cases: readonly string[];
  iterations: number | undefined;
  excludeSkills: boolean;
  refreshSnapshot: boolean;
  notes: string | undefined;
  minPassRate: number | undefined;
  matchOptions: Partial<MatchOptions> | undefined;
  idempotencyKey: string | undefined;
  approvals: { caseIds: string[]; reason: string } | undefined;
}

interface Named {
  id: string;
  name: string | null;
}

export interface ReceiptTarget {
  status: "started" | "failed";
  environment?: EvalRunCreated["environment"] | Named;
  model?: EvalRunCreated["model"];
  host?: Named;
  runId?: string;
  runStatus?: EvalRunCreated["status"];
  deduped?: boolean;
  servers?: EvalRunCreated["servers"];
  caseUpsert?: EvalRunCreated["caseUpsert"];
  viewUrl?: string;
  error?: { code: string; message: string };
}

export interface Receipt {
  project: { id: string; name: string; organizationId: string };
  suite: { id: string; name: string };
  outcome: "started" | "partial" | "failed";
  startedCount: number;
  failedCount: number;
  runGroupId?: string;
  composed?: Composed;
  /** Those of a suite that were named. */
  cases?: { id: string; title: string }[];
  targets: ReceiptTarget[];
  /** Of the one target, where there is one. */
  runId?: string;
  status?: EvalRunCreated["status"];
  deduped?: boolean;
  servers?: EvalRunCreated["servers"];
  environment?: EvalRunCreated["environment"];
  model?: EvalRunCreated["model"];
  caseUpsert?: EvalRunCreated["caseUpsert"];
}

type Within = Place & Pick<InProject, "scope">;
type Surroundings = Pick<World, "stdin" | "cwd" | "env">;

/** What is launched, once everything that can be refused here was. */
interface Ready {
  suite: { id: string; name: string };
  /** Made for this launch. */
  isNew?: boolean;
  caseIds: string[] | undefined;
  /** Of a suite, where some were named. */
  cases?: { id: string; title: string }[];
  chosen: Chosen;
  sourceHash: string | undefined;
  key: string | undefined;
}

export async function launch(
  place: Within,
  wanted: LaunchWanted,
  world: Surroundings,
  patience?: LaunchPatience,
): Promise<Receipt> {
  const ready =
    "file" in wanted.from
      ? await prepareFile(place, wanted.from.file, wanted, world)
      : await prepareSuite(place, wanted.from.suite, wanted);
  const { suite, chosen } = ready;
  const composed = chosen.kind === "composed" ? await compose(place, suite.id, chosen) : undefined;
  try {
    const targets =
      chosen.kind === "composed"
        ? [{ where: { environmentId: must(composed, "what was composed").environment.id }, name: null }]
        : await launchTargets(place, suite.id, chosen);
    const knobs = knobsOf(wanted, ready, world);
    const told = await outlastingFullness(patience, () => send(place, ready, targets, knobs));
    return {
      project: place.scope.project,
      suite,
      ...told,
      ...(ready.cases && { cases: ready.cases }),
      ...(composed && { composed }),
    };
  } catch (error) {
    if (ready.isNew && isRefusal(error)) await takeBack(place, suite.id);
    throw launchRefusal(error, suite, composed);
  }
}

/** For how long a launch may wait for its place, and who is told. */
export interface LaunchPatience {
  ms: number;
  print: Pick<Printer, "note">;
}

/** An organization has so many runs under way: whoever waits for a run anyway waits for its place, too. */
async function outlastingFullness<Told>(
  patience: LaunchPatience | undefined,
  ask: () => Promise<Told>,
): Promise<Told> {
  const until = Date.now() + (patience?.ms ?? 0);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "RATE_LIMITED") throw error;
      const { retryAfter: seconds, message } = error;
      if (seconds === undefined || Date.now() + seconds * 1000 > until) throw error;
      patience?.print.note(text`${message} The launch is tried again in ${seconds} s.`);
      await delay(seconds * 1000);
    }
  }
}

/** What is said of these is mended on the suite, which has to be there for it. */
const mendedOnSuite = new Set<unknown>(["TARGET_REQUIRED", "ENVIRONMENT_NOT_ATTACHED", "HOST_NOT_ATTACHED"]);

/** Said no to, and so not started; whatever else went wrong may have started it. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status >= 400 && error.status < 500 && !mendedOnSuite.has(error.details?.code);
}

function knobsOf(wanted: LaunchWanted, { caseIds, sourceHash, key }: Ready, { env }: Surroundings) {
  const ci = ciFacts(env);
  return {
    ...(wanted.iterations !== undefined && { iterationOverride: wanted.iterations }),
    ...(caseIds && { caseIds }),
    ...(wanted.matchOptions && { matchOptionsOverride: wanted.matchOptions }),
    ...(wanted.excludeSkills && { skillsOverride: "exclude" as const }),
    ...(wanted.refreshSnapshot && { refreshSnapshot: true }),
    ...(wanted.notes !== undefined && { notes: wanted.notes }),
    ...(wanted.minPassRate !== undefined && { passCriteria: { minimumPassRate: wanted.minPassRate } }),
    ...(wanted.approvals && { approvals: wanted.approvals }),
    ...(sourceHash !== undefined && { sourceHash }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(ci && { ci }),
    launcher: { kind: "cli" as const, client: "fettle", version },
  };
}

/** Several targets are one group, which takes one slot. */
async function send(
  { client, projectId }: Place,
  { suite: { id: suiteId } }: Ready,
  targets: LaunchTarget[],
  knobs: ReturnType<typeof knobsOf>,
): Promise<Omit<Receipt, "project" | "suite" | "composed" | "cases">> {
  const [target, another] = targets;
  if (target && !another) {
    const body = { suiteId, ...target.where, ...knobs };
    return receiptOfOne(await client.createEvalRun({ projectId, body }), target);
  }
  const { refreshSnapshot: _ofOne, ...shared } = knobs;
  // Servers are one target, however many there are: several are environments or clients.
  const several = targets.map(({ where: { serverIds: _none, ...where } }) => where);
  return receiptOfGroup(
    await client.createEvalRunGroup({ projectId, body: { suiteId, targets: several, ...shared } }),
  );
}

function receiptOfOne(run: EvalRunCreated, target: LaunchTarget) {
  const { runId, status, servers, environment, model, viewUrl, caseUpsert, deduped } = run;
  const known = { ...(deduped !== undefined && { deduped }), servers, environment, model, caseUpsert };
  const { namedHostId } = target.where;
  const host = namedHostId !== undefined && { host: { id: namedHostId, name: target.name } };
  return {
    outcome: "started" as const,
    startedCount: 1,
    failedCount: 0,
    ...(run.runGroupId !== undefined && { runGroupId: run.runGroupId }),
    targets: [{ status: "started" as const, ...host, runId, runStatus: status, viewUrl, ...known }],
    runId,
    status,
    ...known,
  };
}

function receiptOfGroup({ outcome, startedCount, failedCount, runGroupId, targets }: EvalRunGroupCreated) {
  return {
    outcome,
    startedCount,
    failedCount,
    runGroupId,
    targets: targets.map(({ target, environment, ...rest }): ReceiptTarget => {
      const { environmentId, namedHostId, name } = target;
      return {
        ...rest,
        ...(environmentId !== undefined && { environment: environment ?? { id: environmentId, name } }),
        ...(namedHostId !== undefined && { host: { id: namedHostId, name } }),
      };
    }),
  };
}

async function prepareSuite(place: Place, selector: string, wanted: LaunchWanted): Promise<Ready> {
  const { id, name } = await (await finders.suite(place))(selector);
  const chosen = await chooseTarget(place, wanted.target);
  refuseRefreshOfSeveral(wanted, chosen);
  const cases = wanted.cases.length === 0 ? undefined : await namedCases(place, id, wanted.cases);
  return {
    suite: { id, name: name ?? id },
    caseIds: cases?.map((item) => item.id),
    ...(cases && { cases }),
    chosen,
    sourceHash: undefined,
    key: wanted.idempotencyKey,
  };
}

function refuseRefreshOfSeveral({ refreshSnapshot }: LaunchWanted, chosen: Chosen): void {
  if (refreshSnapshot && isSeveral(chosen)) {
    throw usageError("--refresh-snapshot goes with one target.", {
      hint: "Name one with --environment or --host.",
    });
  }
}

/** By id, declared id, or a title that one case alone has. */
async function namedCases(
  { client, projectId }: Place,
  suiteId: string,
  words: readonly string[],
): Promise<{ id: string; title: string }[]> {
  const { items } = await client.listEvalCases({ projectId, suiteId });
  return words.map((word) => {
    const titled = items.filter(({ title }) => title === word);
    const found =
      items.find(({ id, declaredId }) => id === word || declaredId === word) ??
      (titled.length === 1 ? titled[0] : undefined);
    if (found && !found.disabled) return { id: found.id, title: found.title };
    throw caseRefusal(word, { isDisabled: found !== undefined, items, suiteId });
  });
}

async function prepareFile(
  place: Place,
  path: string,
  wanted: LaunchWanted,
  world: Surroundings,
): Promise<Ready> {
  const file = await readHostedFile(place, world, {
    file: path,
    cases: wanted.cases,
    repetitions: wanted.iterations,
    approved: wanted.approvals?.caseIds ?? [],
  });
  const typed = await chooseTarget(place, wanted.target);
  const unresolved = await requireLiveCalls(place, file, wanted.cases, typed);
  const chosen = typed.kind === "suite" ? await chooseFromFile(place, file.suite) : typed;
  refuseRefreshOfSeveral(wanted, chosen);
  const attachHosts = typed.kind === "suite";
  const { id, name, isNew } = await uploadSuite(place, file, { unresolved, attachHosts });
  return {
    suite: { id, name },
    isNew,
    caseIds: file.caseIds,
    chosen,
    sourceHash: file.sourceHash,
    key: wanted.idempotencyKey ?? keyOf(place, wanted, file.suite, file.sourceHash),
  };
}

/** The same file with the same knobs is the same launch; notes, and what is saved beside it, bear on nothing. */
function keyOf(
  { projectId }: Place,
  { from: _path, notes: _notes, idempotencyKey: _none, target: typed, ...others }: LaunchWanted,
  { suite, target }: { suite: { id: string }; target: unknown },
  sourceHash: string,
): string {
  const { save: _save, ...compose } = typed.compose;
  const knobs = { ...others, target: { ...typed, compose } };
  const digest = digestOf({
    sourceHash,
    projectId,
    suiteId: suite.id,
    target,
    knobs: JSON.parse(JSON.stringify(knobs)),
  });
  return `file-${digest}`.slice(0, limits.idempotency.maxKeyLength);
}
