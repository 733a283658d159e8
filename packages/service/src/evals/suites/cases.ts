/** @module The rules of cases: one at a time, and many at once of which each stands for itself. */

import { randomBytes } from "node:crypto";
import { ApiError, type ExpectedUpdatedAt, limits, type Page, type UserId } from "@fettle/contract/core";
import {
  type CaseFailure,
  type DuplicatePolicy,
  duplicatePolicies,
  type EvalCase,
  type EvalCaseCreateRequest,
  type EvalCasesBatchCreateRequest,
  type EvalCasesBatchResult,
  type EvalCaseUpdateRequest,
  type EvalSuiteCreated,
  type EvalSuiteCreateRequest,
} from "@fettle/contract/evals";
import { digestOf } from "@fettle/evals";
import { isObject } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { cutPage, type PageOrWhole, rangeOf, readCursor, writeCursor } from "../../core/routing/page.ts";
import { refused } from "../../environments/targets/refuse.ts";
import * as store from "./case-store.ts";
import { refuseFileOwned } from "./file-owned.ts";
import {
  type CaseFault,
  isRenderCheck,
  type ReadCase,
  readCase,
  readRequest,
  readTest,
  toCase,
} from "./read-case.ts";
import { lockSuite, type SuiteRow } from "./store.ts";
import { touch } from "./touch.ts";

export async function listCases(
  db: Querier,
  suite: SuiteRow,
  { cursor, limit }: PageOrWhole,
): Promise<Page<EvalCase>> {
  const rows = await store.listCases(db, suite.id, rangeOf(readCasePlace(cursor), limit));
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.position, last.id));
  return { items: shown.map((row) => toCase(suite, row)), ...next };
}

function readCasePlace(cursor: string | undefined): store.CasePlace | undefined {
  if (cursor === undefined) return undefined;
  const [position, id] = readCursor(cursor, ["count", "id"]);
  return { position: Number(position), id };
}

export async function createCase(
  app: App,
  db: Querier,
  suite: SuiteRow,
  userId: UserId,
  request: EvalCaseCreateRequest,
): Promise<EvalCase> {
  return inTransaction(db, async (tx) => {
    refuseFileOwned(suite);
    const batch = await openBatch(app, tx, suite, userId);
    const reading = readCase(request);
    if (!reading.ok) throw invalidCase(reading.fault);
    const { read } = reading;
    const named = read.declaredId === undefined ? undefined : batch.byDeclaredId.get(read.declaredId);
    if (named) {
      throw taken("DUPLICATE_CASE_ID", `The suite has a case with the id ${read.declaredId}.`, {
        id: named.id,
      });
    }
    const same = batch.byContent.get(read.contentHash);
    if (same) {
      throw taken("DUPLICATE_CONTENT", `The case ${JSON.stringify(same.title)} says the same.`, {
        id: same.id,
      });
    }
    const row = batch.add(read);
    await batch.close();
    return toCase(suite, stillThere(await store.findCase(tx, suite.id, row.id)));
  });
}

export async function updateCase(
  app: App,
  db: Querier,
  suite: SuiteRow,
  found: store.CaseRow,
  { expectedUpdatedAt, ...change }: EvalCaseUpdateRequest,
): Promise<EvalCase> {
  return inTransaction(db, async (tx) => {
    refuseFileOwned(suite);
    await requireSuite(tx, suite);
    const row = await store.findCase(tx, suite.id, found.id);
    if (!row) throw notFound("evalCase");
    const updatedAt = nextUpdate(app, row, expectedUpdatedAt, sharedCase);
    const { steps } = row.definition;
    if (change.steps && isRenderCheck(steps) !== isRenderCheck(change.steps)) {
      const message = "A case that shows what one call renders stays one; make another case instead.";
      throw refused("VALIDATION_ERROR", "CASE_KIND_FIXED", message, { path: "body.steps" });
    }
    const { declaredId, disabled, title } = row;
    // What is null is left out: the field is cleared.
    const merged = Object.entries({ ...row.definition, title, disabled, ...change, id: declaredId });
    const reading = readRequest(
      Object.fromEntries(merged.filter(([, value]) => value !== null)) as EvalCaseCreateRequest,
    );
    if (!reading.ok) throw invalidCase(reading.fault);
    const { declaredId: _same, ...values } = reading.read;
    const changed = await store.changeCase(tx, row.id, { ...values, updatedAt });
    await touch(app, tx, suite);
    return toCase(suite, changed);
  });
}

const sharedCase = { what: "The case", code: "CASE_CHANGED" };

export async function deleteCase(
  app: App,
  db: Querier,
  suite: SuiteRow,
  row: store.CaseRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: string; projectId: string; deleted: true }> {
  return inTransaction(db, async (tx) => {
    refuseFileOwned(suite);
    // Whoever changes a case holds its suite.
    await requireSuite(tx, suite);
    requireAsRead(await store.findCase(tx, suite.id, row.id), expectedUpdatedAt, sharedCase);
    await store.deleteCase(tx, row.id);
    await touch(app, tx, suite);
    return { id: row.id, projectId: suite.projectId, deleted: true };
  });
}

/** Who asks under which key: the same one again is told what became of the first. */
export interface BatchCaller {
  userId: UserId;
  key: string | undefined;
}

/** What is wrong with one case is told in the answer, and the others are saved. */
export async function createCases(
  app: App,
  db: Querier,
  suite: SuiteRow,
  { userId, key }: BatchCaller,
  request: EvalCasesBatchCreateRequest,
): Promise<EvalCasesBatchResult> {
  const { upsert = false, overrideReason, declaredIds } = request;
  if (!upsert) refuseFileOwned(suite);
  if (upsert && suite.origin !== "file") {
    const message =
      "Only the cases of a suite that a file owns are changed by a batch; update them one by one.";
    throw refused("VALIDATION_ERROR", "NOT_FILE_OWNED", message, { path: "body.upsert" });
  }
  const policy = policyOf(request.duplicatePolicy);
  return inTransaction(db, async (tx) => {
    const batch = await openBatch(app, tx, suite, userId);
    const created: EvalCasesBatchResult["created"] = [];
    const failures: EvalCasesBatchResult["failed"] = [];
    for (const [index, item] of request.cases.entries()) {
      const told = toldOf(item);
      const fail = (code: CaseFailure, message: string) =>
        void failures.push({ index, ...told, code, message });
      const once = key === undefined ? undefined : onceFor(suite, userId, key, index, item);
      const before = once && batch.byScope.get(once.idempotencyScope);
      if (once && before) {
        const { id, declaredId, title } = before;
        if (before.requestHash === once.requestHash) {
          created.push({ index, id, declaredId, title, action: "unchanged", replayed: true });
        } else fail("IDEMPOTENCY_CONFLICT", "Under this key another case was sent at this place.");
        continue;
      }
      const reading = readCase(item);
      if (!reading.ok) {
        fail(reading.fault.code, reading.fault.message);
        continue;
      }
      const { read } = reading;
      const declared = read.declaredId === undefined ? undefined : batch.byDeclaredId.get(read.declaredId);
      if (declared && (!upsert || declared.isNew)) {
        fail("DUPLICATE_CASE_ID", `The suite has a case with the id ${read.declaredId}.`);
        continue;
      }
      const same = batch.byContent.get(read.contentHash);
      // A file says what its cases are; that two of them say the same is its author's affair.
      const isRepeated = same !== undefined && !declared && !upsert;
      if (isRepeated && policy.effectivePolicy === "block") {
        fail("DUPLICATE_CONTENT", `The case ${JSON.stringify(same.title)} says the same.`);
        continue;
      }
      if (isRepeated && overrideReason === undefined) {
        fail(
          "OVERRIDE_REASON_REQUIRED",
          `The case ${JSON.stringify(same.title)} says the same: say why both are needed.`,
        );
        continue;
      }
      if (!declared && batch.isFull()) throw full();
      const warnings =
        isRepeated && policy.effectivePolicy === "warn"
          ? [{ code: "DUPLICATE_CONTENT", message: `The case ${JSON.stringify(same.title)} says the same.` }]
          : undefined;
      const { id, declaredId, action } = declared
        ? await batch.change(declared.id, read)
        : { ...batch.add(read, once), action: "created" as const };
      created.push({
        index,
        id,
        declaredId,
        title: read.title,
        action,
        replayed: false,
        ...(warnings && { warnings }),
      });
    }
    const isWhole = declaredIds !== undefined && failures.length === 0;
    const deleted = isWhole ? await store.deleteOtherCases(tx, suite.id, declaredIds) : 0;
    await batch.close(deleted > 0);
    return { created, failed: failures, deleted, duplicatePolicy: policy };
  });
}

/** As a suite is created with them, or an inline launch brings them. */
export async function addTests(
  app: App,
  tx: Transaction,
  suite: SuiteRow,
  userId: UserId,
  { tests, model, provider }: Pick<EvalSuiteCreateRequest, "tests" | "model" | "provider">,
): Promise<EvalSuiteCreated["caseUpsert"]> {
  const batch = await openBatch(app, tx, suite, userId);
  const committed: EvalSuiteCreated["caseUpsert"]["committed"] = [];
  const failures: EvalSuiteCreated["caseUpsert"]["failed"] = [];
  for (const [index, item] of tests.entries()) {
    const { title } = toldOf(item);
    const fail = (code: string, error: string) =>
      void failures.push({ index, ...(title !== undefined && { name: title }), code, error });
    const reading = readTest(item, { model, provider });
    if (!reading.ok) fail(reading.fault.rule ?? reading.fault.code, reading.fault.message);
    else if (reading.read.declaredId !== undefined && batch.byDeclaredId.has(reading.read.declaredId)) {
      fail("DUPLICATE_CASE_ID", `Another case has the id ${reading.read.declaredId}.`);
    } else committed.push({ id: batch.add(reading.read).id, name: reading.read.title });
  }
  await batch.close();
  return { committed, failed: failures };
}

function onceFor(suite: SuiteRow, userId: UserId, key: string, index: number, item: unknown) {
  return {
    idempotencyScope: digestOf({ userId, suiteId: suite.id, key, index }),
    requestHash: digestOf({ item }),
  };
}

function toldOf(item: unknown): { title?: string; declaredId?: string } {
  const { title, id } = isObject(item) ? item : {};
  return {
    ...(typeof title === "string" && { title }),
    ...(typeof id === "string" && { declaredId: id }),
  };
}

function policyOf(requested: string | undefined): EvalCasesBatchResult["duplicatePolicy"] {
  const known = duplicatePolicies.find((policy) => policy === requested);
  const effectivePolicy: DuplicatePolicy = known ?? duplicatePolicies[0];
  const coerced = requested !== undefined && known === undefined;
  return { ...(requested !== undefined && { requestedPolicy: requested }), effectivePolicy, coerced };
}

type Key = Awaited<ReturnType<typeof store.listCaseKeys>>[number] & { isNew?: true };

/** Cases of a suite to be written together; the suite is held, so that nobody adds the same meanwhile. */
async function openBatch(app: App, tx: Transaction, suite: SuiteRow, userId: UserId) {
  await requireSuite(tx, suite);
  const keys: Key[] = await store.listCaseKeys(tx, suite.id);
  const byDeclaredId = new Map(keys.map((key) => [key.declaredId, key]));
  const byContent = new Map(keys.map((key) => [key.contentHash, key]));
  const byScope = new Map(keys.flatMap((key) => (key.idempotencyScope ? [[key.idempotencyScope, key]] : [])));
  let position = Math.max(-1, ...keys.map((key) => key.position));
  const isFull = () => byDeclaredId.size >= limits.evals.casesPerSuite;
  const added: store.CaseValues[] = [];
  let isChanged = false;
  const now = new Date(app.now());
  return {
    byDeclaredId,
    byContent,
    byScope,
    isFull,
    add(read: ReadCase, once: { idempotencyScope: string; requestHash: string } | undefined = undefined) {
      if (isFull()) throw full();
      position += 1;
      const id = newId("evalCase", app.now());
      const declaredId = read.declaredId ?? mintCaseId();
      const { title, contentHash } = read;
      added.push({
        ...read,
        id,
        declaredId,
        suiteId: suite.id,
        position,
        ...once,
        createdBy: userId,
        createdAt: now,
        updatedAt: now,
      });
      const key: Key = {
        id,
        declaredId,
        title,
        contentHash,
        position,
        idempotencyScope: once?.idempotencyScope ?? null,
        requestHash: once?.requestHash ?? null,
        isNew: true,
      };
      byDeclaredId.set(declaredId, key);
      byContent.set(contentHash, key);
      return { id, declaredId };
    },
    async change(id: Key["id"], read: ReadCase) {
      const row = stillThere(await store.findCase(tx, suite.id, id));
      const { declaredId: _same, ...values } = read;
      const isSame = digestOf(values) === digestOf(valuesOf(row));
      if (!isSame) await store.changeCase(tx, id, { ...values, updatedAt: now });
      isChanged ||= !isSame;
      return {
        id,
        declaredId: row.declaredId,
        action: isSame ? ("unchanged" as const) : ("updated" as const),
      };
    },
    async close(isPruned = false) {
      await store.insertCases(tx, added);
      if (isPruned || isChanged || added.length > 0) await touch(app, tx, suite);
    },
  };
}

function valuesOf({ title, disabled, definition, contentHash }: store.CaseRow): Omit<ReadCase, "declaredId"> {
  return { title, disabled, definition, contentHash };
}

const mintedLength = 21;

/** Of letters that a suite file takes as they are. */
export function mintCaseId(): string {
  return `c_${randomBytes(mintedLength).toString("base64url").slice(0, mintedLength)}`;
}

async function requireSuite(tx: Transaction, { id }: SuiteRow): Promise<SuiteRow> {
  const row = await lockSuite(tx, id);
  if (!row) throw notFound("evalSuite");
  return row;
}

function invalidCase({ code, message, path, rule }: CaseFault): ApiError {
  const at = path === "" ? "body" : `body.${path}`;
  return new ApiError("VALIDATION_ERROR", message, { code: rule ?? code, reason: rule ?? code, path: at });
}

function taken(code: CaseFailure, message: string, details: Record<string, unknown>): ApiError {
  return new ApiError("CONFLICT", message, { code, reason: code, ...details });
}

function full(): ApiError {
  const most = limits.evals.casesPerSuite;
  return refused("VALIDATION_ERROR", "CASE_LIMIT", `A suite has at most ${most} cases.`, { limit: most });
}
