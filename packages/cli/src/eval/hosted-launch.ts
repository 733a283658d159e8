/** @module Launches a run of the service: what is sent, under which key, and the receipt for it. */
import { type EvalRunCreated, exitCodes, limits } from "@fettle/contract";
import { digestOf, type MatchOptions } from "@fettle/evals";
import { CliError } from "../cli-error.ts";
import { finders } from "../cloud/finders.ts";
import type { InProject } from "../cloud/in-project.ts";
import { version } from "../version.ts";
import type { World } from "../world.ts";
import { readHostedFile, requireLiveCalls } from "./hosted-file.ts";
import { chooseFromFile, chooseTarget, launchFields, type Place, type TargetFlags } from "./hosted-target.ts";
import { uploadSuite } from "./suite-upload.ts";

export interface LaunchWanted {
  from: { suite: string } | { file: string };
  target: TargetFlags;
  cases: string[];
  iterations: number | undefined;
  excludeSkills: boolean;
  refreshSnapshot: boolean;
  notes: string | undefined;
  minPassRate: number | undefined;
  matchOptions: Partial<MatchOptions> | undefined;
  idempotencyKey: string | undefined;
  approvals: { caseIds: string[]; reason: string } | undefined;
}

export interface Receipt {
  project: { id: string; name: string; organizationId: string };
  suite: { id: string; name: string };
  outcome: "started";
  startedCount: number;
  failedCount: number;
  targets: (Pick<EvalRunCreated, "runId" | "servers" | "environment" | "viewUrl"> & {
    status: "started";
    runStatus: EvalRunCreated["status"];
  })[];
  runId: string;
  status: EvalRunCreated["status"];
  deduped?: boolean;
  servers: EvalRunCreated["servers"];
  environment: EvalRunCreated["environment"];
  caseUpsert: EvalRunCreated["caseUpsert"];
}

type Within = Place & Pick<InProject, "scope">;

export async function launch(
  place: Within,
  wanted: LaunchWanted,
  world: Pick<World, "stdin" | "cwd">,
): Promise<Receipt> {
  const ready =
    "file" in wanted.from
      ? await prepareFile(place, wanted.from.file, wanted, world)
      : await prepareSuite(place, wanted.from.suite, wanted);
  const { suite, caseIds, chosen, sourceHash, key } = ready;
  const { client, projectId, scope } = place;
  const body = {
    suiteId: suite.id,
    ...(await launchFields(place, suite.id, chosen)),
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
    launcher: { kind: "cli" as const, client: "fettle", version },
  };
  const run = await client.createEvalRun({ projectId, body });
  const { runId, status, servers, environment, viewUrl, caseUpsert, deduped } = run;
  return {
    project: scope.project,
    suite,
    outcome: "started",
    startedCount: 1,
    failedCount: 0,
    targets: [{ status: "started", runId, runStatus: status, servers, environment, viewUrl }],
    runId,
    status,
    ...(deduped !== undefined && { deduped }),
    servers,
    environment,
    caseUpsert,
  };
}

async function prepareSuite(place: Place, selector: string, wanted: LaunchWanted) {
  const { id, name } = await (await finders.suite(place))(selector);
  return {
    suite: { id, name: name ?? id },
    caseIds: wanted.cases.length === 0 ? undefined : await namedCases(place, id, wanted.cases),
    chosen: await chooseTarget(place, wanted.target),
    sourceHash: undefined,
    key: wanted.idempotencyKey,
  };
}

/** By id, declared id, or a title that one case alone has. */
async function namedCases(
  { client, projectId }: Place,
  suiteId: string,
  words: readonly string[],
): Promise<string[]> {
  const { items } = await client.listEvalCases({ projectId, suiteId });
  return words.map((word) => {
    const titled = items.filter(({ title }) => title === word);
    const found =
      items.find(({ id, declaredId }) => id === word || declaredId === word) ??
      (titled.length === 1 ? titled[0] : undefined);
    if (found && !found.disabled) return found.id;
    const [code, message] = found
      ? ["CASE_DISABLED", `"${word}" is disabled.`]
      : ["CASE_NOT_FOUND", `The suite has no case with the id or title "${word}".`];
    throw new CliError(code, message, { exitCode: exitCodes.usage });
  });
}

async function prepareFile(
  place: Place,
  path: string,
  wanted: LaunchWanted,
  world: Pick<World, "stdin" | "cwd">,
) {
  const approved = wanted.approvals?.caseIds ?? [];
  const file = await readHostedFile(place, world, {
    file: path,
    cases: wanted.cases,
    repetitions: wanted.iterations,
    approved,
  });
  const typed = await chooseTarget(place, wanted.target);
  const unresolved = await requireLiveCalls(place, file, wanted.cases, typed);
  const chosen = typed.kind === "suite" ? await chooseFromFile(place, file.suite) : typed;
  const { id, name } = await uploadSuite(place, file, { unresolved, attachHosts: typed.kind === "suite" });
  return {
    suite: { id, name },
    caseIds: file.caseIds,
    chosen,
    sourceHash: file.sourceHash,
    key: wanted.idempotencyKey ?? keyOf(place, wanted, file.suite, file.sourceHash),
  };
}

/** The same file with the same knobs is the same launch; notes bear on nothing. */
function keyOf(
  { projectId }: Place,
  { from: _path, notes: _notes, idempotencyKey: _none, approvals, cases, ...knobs }: LaunchWanted,
  { suite, target }: { suite: { id: string }; target: unknown },
  sourceHash: string,
): string {
  const digest = digestOf({
    sourceHash,
    projectId,
    suiteId: suite.id,
    target,
    knobs: JSON.parse(JSON.stringify(knobs)),
    cases: [...cases].sort(),
    ...(approvals && { approvals: { cases: [...approvals.caseIds].sort(), reason: approvals.reason } }),
  });
  return `file-${digest}`.slice(0, limits.idempotency.maxKeyLength);
}
