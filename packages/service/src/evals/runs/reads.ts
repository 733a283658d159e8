/** @module Reading runs and their repetitions, page by page. */
import type {
  EvalIteration,
  EvalIterationStep,
  EvalIterationTrace,
  EvalRun,
  EvalRunDetail,
} from "@fettle/contract/evals";
import type { App } from "../../core/app.ts";
import { cutPage, readCursor, readPlace, writeCursor } from "../../core/routing/page.ts";
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
  const reported = row.externalRunId === null ? undefined : await store.findReported(app.db, row.id);
  return toRunDetail(row, { progress: progress?.get(row.id), waiver, origin, reported });
}

export async function listRuns(
  app: App,
  filter: store.RunFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  origin: string,
): Promise<Page<EvalRun>> {
  const before = readPlace<"evalRun">(cursor);
  const rows = await store.listRuns(app.db, { ...filter, before, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
  return {
    items: await viewRuns(app, shown, origin),
    ...next,
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
  const place = cursor === undefined ? undefined : readCursor(cursor, ["count", "count"]);
  const after = place && { rank: Number(place[0]), ordinal: Number(place[1]) };
  const rows = await iterations.listIterations(app.db, { ...filter, runId: run.id, after, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.rank, last.ordinal));
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
    ...next,
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
