/** @module Reading runs and their repetitions, page by page. */
import {
  ApiError,
  type EvalIteration,
  type EvalIterationStep,
  type EvalIterationTrace,
  type EvalRun,
  type EvalRunDetail,
  idOf,
} from "@fettle/contract";
import type { App } from "../app.ts";
import { caseByKey, type FrozenCase } from "./frozen.ts";
import { waiverInForce } from "./gate.ts";
import * as iterations from "./iteration-store.ts";
import { type CaseView, toIteration, toSteps, toTrace, viewCase } from "./iteration-view.ts";
import { toRun, toRunDetail } from "./run-view.ts";
import * as store from "./store.ts";
import { listInForce, toWaiver } from "./waiver-store.ts";

export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

export async function viewRuns(app: App, rows: readonly store.RunRow[], origin: string): Promise<EvalRun[]> {
  const progress = await iterations.listProgress(
    app.db,
    rows.filter(store.isOpen).map(({ id }) => id),
  );
  const ids = rows.map(({ id }) => id);
  const held = await listInForce(app.db, ids, app.now());
  return rows.map((row) => {
    const waiver = held.get(row.id);
    return toRun(row, {
      progress: progress.get(row.id),
      waiver: waiver ? toWaiver(waiver, app.now()) : null,
      origin,
    });
  });
}

export async function readRun(app: App, row: store.RunRow, origin: string): Promise<EvalRunDetail> {
  const progress = store.isOpen(row) ? await iterations.listProgress(app.db, [row.id]) : undefined;
  const waiver = await waiverInForce(app, app.db, row);
  return toRunDetail(row, { progress: progress?.get(row.id), waiver, origin });
}

export async function listRuns(
  app: App,
  filter: store.RunFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  origin: string,
): Promise<Page<EvalRun>> {
  const place = cursor === undefined ? undefined : readCursor(cursor);
  // A place in the order of ids: whether it is still anybody's does not matter.
  const before = place && { at: new Date(Number(place[0])), id: idOf<"evalRun">().parse(place[1]) };
  // One more than asked for tells whether there is another page.
  const rows = await store.listRuns(app.db, { ...filter, before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: await viewRuns(app, shown, origin),
    ...(rows.length > limit && last && { nextCursor: writeCursor(last.createdAt.getTime(), last.id) }),
  };
}

export async function listIterations(
  app: App,
  run: store.RunRow,
  {
    cursor,
    limit,
    ...filter
  }: Omit<iterations.IterationFilter, "runId"> & {
    cursor?: string | undefined;
    limit: number;
  },
): Promise<Page<EvalIteration>> {
  const place = cursor === undefined ? undefined : readCursor(cursor);
  const after = place && { rank: Number(place[0]), ordinal: Number(place[1]) };
  const rows = await iterations.listIterations(app.db, { ...filter, runId: run.id, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cases = await casesOf(app, run);
  const views = new Map<string, CaseView>();
  const items = shown.map((row) => {
    const one = cases.get(row.caseKey);
    const view = views.get(row.caseKey) ?? (one && viewCase(one));
    if (view) views.set(row.caseKey, view);
    return toIteration(row, view);
  });
  return {
    items,
    ...(rows.length > limit && last && { nextCursor: writeCursor(last.rank, String(last.ordinal)) }),
  };
}

async function casesOf(app: App, run: store.RunRow): Promise<Map<string, FrozenCase>> {
  const frozen = await store.readFrozen(app.db, run.id);
  return frozen ? caseByKey(frozen) : new Map();
}

export async function readTrace(
  app: App,
  run: store.RunRow,
  row: iterations.IterationRow,
): Promise<EvalIterationTrace> {
  const kept = await iterations.findTrace(app.db, row.id);
  return toTrace(row, (await casesOf(app, run)).get(row.caseKey), kept?.trace);
}

export async function readSteps(
  app: App,
  run: store.RunRow,
  row: iterations.IterationRow,
): Promise<Page<EvalIterationStep>> {
  const one = (await casesOf(app, run)).get(row.caseKey);
  return { items: one ? toSteps(row, one, await iterations.findTrace(app.db, row.id)) : [] };
}

function writeCursor(first: number, second: string): string {
  return Buffer.from(`${first} ${second}`).toString("base64url");
}

function readCursor(cursor: string): [string, string] {
  const [, first, second] =
    /^(\d{1,15}) (\S{1,100})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (first !== undefined && second !== undefined) return [first, second];
  throw new ApiError("VALIDATION_ERROR", "This is not a cursor of this list.", {
    path: "query.cursor",
    code: "BAD_CURSOR",
  });
}
