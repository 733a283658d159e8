/** @module Makes the suite that a file owns, and its cases, say what the file says. Nothing is deleted before all else was taken. */
import { exitCodes, limits } from "@fettle/contract/core";
import type { EvalCaseCreateRequest, EvalCasesBatchResult } from "@fettle/contract/evals";
import { checksOf, type SuiteCase, type SuiteFile } from "@fettle/evals";
import { CliError } from "../cli-error.ts";
import { finders } from "../cloud/finders.ts";
import type { CheckedFile } from "./hosted-file.ts";
import type { Place } from "./hosted-target.ts";

export interface UploadOptions {
  /** Imported cases, by their authored ids, whose calls do not exist where the suite runs. */
  unresolved: ReadonlySet<string>;
  /** A target on the command line stands for the file's clients, which are not attached then. */
  attachHosts: boolean;
}

export interface Uploaded {
  id: string;
  name: string;
  /** Whether there was no such suite before. */
  isNew: boolean;
}

export async function uploadSuite(
  place: Place,
  file: CheckedFile,
  options: UploadOptions,
): Promise<Uploaded> {
  const { client, projectId } = place;
  const { suite } = file;
  const synced = await client.syncFileOwnedEvalSuite({ projectId, body: syncBody(file) });
  const { created: isNew } = synced;
  const { id, name } = synced.suite;
  try {
    await uploadCases(place, id, suite, options);
    await attach(place, id, suite, options.attachHosts);
  } catch (error) {
    if (isNew) await takeBack(place, id);
    throw error;
  }
  return { id, name, isNew };
}

/** A suite that was made for a launch which is refused: with it gone, nothing was written. One that has runs is in use already. */
export async function takeBack({ client, projectId }: Place, suiteId: string): Promise<void> {
  try {
    const { items } = await client.listEvalRuns({ projectId, query: { suiteId, limit: 1 } });
    if (items.length === 0) await client.deleteEvalSuite({ projectId, suiteId });
  } catch {
    // Why the launch was refused is what there is to say.
  }
}

function syncBody({ suite: { suite, target, defaults, provenance }, sourceHash }: CheckedFile) {
  const { id: declaredSuiteId, name, description } = suite;
  const { model: modelId, provider, modelSource, systemPrompt, temperature, passThreshold } = defaults;
  const servers = target.servers ?? [];
  const bindings = servers.flatMap(({ name: serverName, id }) =>
    id === undefined ? [] : [{ serverName, projectServerId: id }],
  );
  return {
    declaredSuiteId,
    name,
    ...(description !== undefined && { description }),
    sourceHash,
    ...(provenance && { provenance: said(provenance) }),
    environment: {
      servers: servers.map((server) => server.name),
      ...(bindings.length > 0 && { serverBindings: bindings }),
    },
    defaultConfig: {
      modelId,
      ...(provider !== undefined && { provider }),
      ...(modelSource !== undefined && { modelSource }),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(temperature !== undefined && { temperature }),
    },
    defaultPassCriteria: { minimumPassRate: percentOf(passThreshold) },
  };
}

function said(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** By moving the point in its digits: a product of fractions would be a little off. */
export function percentOf(fraction: number): number {
  return Number(`${fraction}e2`);
}

async function uploadCases(
  { client, projectId }: Place,
  suiteId: string,
  suite: SuiteFile,
  { unresolved }: UploadOptions,
): Promise<void> {
  const declaredIds = suite.cases.map(({ id }) => id);
  const size = limits.evals.casesPerBatch;
  const done: EvalCasesBatchResult["created"] = [];
  const failed: EvalCasesBatchResult["failed"] = [];
  let batches = 0;
  let deleted = 0;
  for (let from = 0; from < suite.cases.length; from += size) {
    const cases = suite.cases
      .slice(from, from + size)
      .map((item) => caseBody(item, suite, unresolved.has(item.id)));
    const isLast = from + size >= suite.cases.length;
    const body = { cases, upsert: true, ...(isLast && failed.length === 0 && { declaredIds }) };
    const answer = await client.createEvalCases({ projectId, suiteId, body });
    batches += 1;
    deleted += answer.deleted;
    done.push(...answer.created);
    failed.push(...answer.failed.map((one) => ({ ...one, index: from + one.index })));
  }
  const [first] = failed;
  if (!first) return;
  throw new CliError("CASE_SYNC_FAILED", `${first.declaredId ?? first.title}: ${first.message}`, {
    details: {
      failed,
      created: done.filter(({ action }) => action === "created").length,
      updated: done.filter(({ action }) => action === "updated").length,
      deleted,
      batches,
    },
    exitCode: exitCodes.usage,
  });
}

/** Every field is said, because a field that the file no longer has is to be cleared. */
function caseBody(item: SuiteCase, { defaults }: SuiteFile, isUnresolved: boolean): EvalCaseCreateRequest {
  const list = checksOf(item);
  const { provider } = defaults;
  const note = "A tool that it calls itself was not found where the suite runs.";
  return {
    id: item.id,
    title: item.title,
    ...(item.intent !== undefined && { intent: item.intent }),
    steps: item.steps,
    ...(item.expectedOutput !== undefined && { expectedOutput: item.expectedOutput }),
    iterations: item.repetitions ?? defaults.repetitions,
    isNegative: item.isNegativeTest ?? false,
    ...(item.expectToolError !== undefined && { expectToolError: item.expectToolError }),
    models:
      item.model === undefined ? [] : [{ model: item.model, ...(provider !== undefined && { provider }) }],
    ...(item.continueOnFail !== undefined && { continueOnFail: item.continueOnFail }),
    ...(list.length > 0 && { checks: { mode: "replace" as const, list: list.map((one) => ({ ...one })) } }),
    disabled: item.disabled ?? false,
    ...(item.import && {
      import: isUnresolved ? { ...item.import, status: "unresolved" as const, note } : item.import,
    }),
  };
}

async function attach(
  place: Place,
  suiteId: string,
  { target }: SuiteFile,
  attachHosts: boolean,
): Promise<void> {
  const { client, projectId } = place;
  if (attachHosts && target.hosts) {
    const hosts = target.hosts.map(({ id, name, servers }) => ({
      host: id ?? name,
      ...(servers && { servers: servers.map((server) => server.id ?? server.name) }),
    }));
    await client.updateEvalSuite({ projectId, suiteId, body: { hosts } });
  }
  if (target.environment !== undefined) {
    const { id: environmentId } = await (await finders.environment(place))(target.environment);
    await client.attachEvalSuiteEnvironment({ projectId, suiteId, body: { environmentId } });
  }
}
