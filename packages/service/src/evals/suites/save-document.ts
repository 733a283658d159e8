/** @module Reads a suite to be edited, and saves the edit: all of it or nothing, and never over what somebody else saved. */

import type { UserId } from "@fettle/contract/core";
import type { EvalSuiteDocument, EvalSuiteEdition, EvalSuiteSaveRequest } from "@fettle/contract/evals";
import { digestOf } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { refused } from "../../environments/targets/refuse.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import * as caseStore from "./case-store.ts";
import { mintCaseId } from "./cases.ts";
import { refuseFileOwned } from "./file-owned.ts";
import { isRenderCheck, type ReadCase, readCase } from "./read-case.ts";
import { changeSuite, lockSuite, type SuiteRow } from "./store.ts";
import { checkDocument, documentOf, writtenOf } from "./suite-document.ts";
import { usualSettings } from "./suite-view.ts";

export async function readEdition(db: Querier, suite: SuiteRow): Promise<EvalSuiteEdition> {
  const document = documentOf(suite, await caseStore.listCases(db, suite.id));
  return {
    revision: digestOf(document),
    updatedAt: suite.updatedAt.getTime(),
    document,
    ...writtenOf(document),
  };
}

export async function saveDocument(
  app: App,
  db: Querier,
  found: SuiteRow,
  userId: UserId,
  { revision, document: sent }: EvalSuiteSaveRequest,
): Promise<EvalSuiteEdition> {
  const { document, findings } = checkDocument(sent);
  return inTransaction(db, async (tx) => {
    const suite = await lockSuite(tx, found.id);
    if (!suite) throw notFound("evalSuite");
    refuseFileOwned(suite);
    const rows = await caseStore.listCases(tx, suite.id);
    const stored = digestOf(documentOf(suite, rows));
    if (stored !== revision) throw refused("CONFLICT", "STALE_SUITE", undefined, { revision: stored });
    if (!document) {
      const [first] = findings;
      const message = `${first?.pointer ? `${first.pointer}: ` : ""}${first?.message}`;
      throw refused("VALIDATION_ERROR", "SUITE_DOCUMENT_INVALID", message, { findings });
    }
    const now = new Date(app.now());
    await writeCases(tx, { suite, rows, document, userId, now });
    await changeSuite(tx, suite.id, { ...rowOf(document), updatedAt: now });
    await announceInProject(app, tx, suite.projectId, "eval-suites");
    return readEdition(tx, stillThere(await lockSuite(tx, suite.id)));
  });
}

function rowOf({
  name,
  description,
  tags,
  model,
  provider,
  systemPrompt,
  temperature,
  settings,
}: EvalSuiteDocument) {
  const { minimumAccuracy, minimumIterations, matchOptions, judge, ...said } = settings ?? {};
  return {
    name: name.trim(),
    description: description || null,
    tags: tags ?? [],
    model: model ?? null,
    provider: provider ?? null,
    systemPrompt: systemPrompt ?? null,
    temperature: temperature ?? null,
    settings: {
      ...usualSettings,
      ...said,
      minimumAccuracy: minimumAccuracy ?? null,
      minimumIterations: minimumIterations ?? null,
      matchOptions: matchOptions ?? null,
      judge: { ...usualSettings.judge, ...judge },
    },
  };
}

interface Writing {
  suite: SuiteRow;
  rows: readonly caseStore.CaseRow[];
  document: EvalSuiteDocument;
  userId: UserId;
  now: Date;
}

/** A case is the same one while its id is: its history and its own runs stay with it. */
async function writeCases(tx: Transaction, { suite, rows, document, userId, now }: Writing): Promise<void> {
  const before = new Map(rows.map((row) => [row.declaredId, row]));
  const added: caseStore.CaseValues[] = [];
  for (const [position, item] of document.cases.entries()) {
    const { declaredId, ...values } = readingOf(item);
    const row = declaredId === undefined ? undefined : before.get(declaredId);
    if (!row) {
      added.push({
        ...values,
        id: newId("evalCase", now.getTime()),
        suiteId: suite.id,
        declaredId: declaredId ?? mintCaseId(),
        position,
        createdBy: userId,
        createdAt: now,
        updatedAt: now,
      });
      continue;
    }
    before.delete(row.declaredId);
    requireSameKind(row, values, position);
    const { title, disabled, definition, contentHash } = row;
    const isSame = digestOf(values) === digestOf({ title, disabled, definition, contentHash });
    if (!isSame) await caseStore.changeCase(tx, row.id, { ...values, position, updatedAt: now });
    else if (row.position !== position)
      await caseStore.changeCase(tx, row.id, { position, updatedAt: row.updatedAt });
  }
  for (const { id } of before.values()) await caseStore.deleteCase(tx, id);
  await caseStore.insertCases(tx, added);
}

function readingOf(item: EvalSuiteDocument["cases"][number]): ReadCase {
  const reading = readCase(item);
  if (reading.ok) return reading.read;
  // What was checked as a whole holds in its parts.
  throw new Error(reading.fault.message);
}

function requireSameKind(
  row: caseStore.CaseRow,
  { definition }: Omit<ReadCase, "declaredId">,
  index: number,
): void {
  if (isRenderCheck(row.definition.steps) === isRenderCheck(definition.steps)) return;
  const message = "A case that shows what one call renders stays one; make another case instead.";
  throw refused("VALIDATION_ERROR", "CASE_KIND_FIXED", message, {
    path: `body.document.cases.${index}.steps`,
  });
}
