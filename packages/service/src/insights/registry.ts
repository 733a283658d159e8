/**
 * @module What becomes of problems from scope to scope of their family. Each scope leaves what it saw; how a problem fares is worked
 * out from all of that in the order of time, so that mining a scope again, or an old one late, comes to the same.
 */

import type { Page, ProjectId, UserId } from "@fettle/contract/core";
import type { ProjectFinding, ProjectFindingDetail } from "@fettle/contract/insights";
import { follow, type Mined, type SignalRow } from "@fettle/insights";
import type { App } from "../core/app.ts";
import type { Transaction } from "../core/db/pool.ts";
import { missing } from "../core/routing/not-found.ts";
import { cutPage, readCursor, writeCursor } from "../core/routing/page.ts";
import { announceInProject } from "../people/accounts/announce.ts";
import * as store from "./registry-store.ts";
import type { OpenScope } from "./source.ts";
import { asCallersKnow } from "./wave-key.ts";

/** In the transaction that writes the envelope. */
export async function recordScope(tx: Transaction, open: OpenScope, mined: Mined): Promise<void> {
  const { projectId, family, scope } = open;
  const place = { projectId, familyId: family.id };
  await store.lockFamily(tx, place);
  const known = await store.listSignals(tx, place);
  const before = await store.takeSightings(tx, place, scope);
  const fired = new Map(mined.signals.map((signal) => [signal.fingerprint, signal]));
  const counts = new Map(mined.findings.map(({ id, affected }) => [id, affected.count]));
  const quiet = known.flatMap(({ fingerprint }) => {
    const exercised = fired.has(fingerprint) ? 0 : mined.exercised(fingerprint);
    return exercised > 0 ? [{ fingerprint, count: 0, exercised, findings: {} }] : [];
  });
  const seen = mined.signals.map(({ fingerprint, count, exercised, findingIds }) => ({
    fingerprint,
    count,
    exercised,
    findings: Object.fromEntries(findingIds.map((id) => [id, counts.get(id) ?? count])),
  }));
  const now = [...seen, ...quiet];
  const at = new Date(open.at);
  await store.insertSightings(
    tx,
    now.map((one) => ({
      ...place,
      familyKind: family.kind,
      scopeKind: scope.kind,
      scopeId: scope.id,
      at,
      ...one,
    })),
  );
  const touched = [...new Set([...now.map(({ fingerprint }) => fingerprint), ...before])];
  const history = Map.groupBy(
    await store.listSightings(tx, place, touched),
    ({ fingerprint }) => fingerprint,
  );
  const subjects = new Map(known.map((row) => [row.fingerprint, row]));
  for (const fingerprint of touched) {
    const sightings = history.get(fingerprint) ?? [];
    const fares = followed(sightings, ({ count }) => count);
    const told = fired.get(fingerprint) ?? subjects.get(fingerprint);
    const owner = { ...place, familyKind: family.kind, fingerprint };
    if (!fares || !told) {
      await store.deleteSignal(tx, owner);
      continue;
    }
    const { detector, subject } = told;
    await store.saveSignal(tx, { ...owner, detector, subject, ...fares });
    await recordFindings(tx, { open, mined, fingerprint, sightings });
  }
}

async function recordFindings(
  tx: Transaction,
  {
    open,
    mined,
    fingerprint,
    sightings,
  }: { open: OpenScope; mined: Mined; fingerprint: string; sightings: store.Sighting[] },
): Promise<void> {
  const { projectId, family, scope } = open;
  const ids = new Set(sightings.flatMap(({ findings }) => Object.keys(findings)));
  for (const findingId of ids) {
    const fares = followed(sightings, ({ findings }) => findings[findingId] ?? 0);
    if (!fares) continue;
    const finding = mined.findings.find(({ id }) => id === findingId);
    const key = { projectId, familyId: family.id, findingId };
    // What an older scope said of it stays in the past.
    if (finding && fares.lastScopeId === scope.id) {
      const row = { ...key, familyKind: family.kind, familyLabel: family.label, fingerprint, finding };
      await store.saveFinding(tx, {
        ...row,
        severity: finding.severity,
        lastScopeKind: scope.kind,
        ...fares,
      });
    } else {
      await store.updateFinding(tx, key, fares);
    }
  }
}

/** Undefined: it was never seen. */
function followed(
  sightings: readonly store.Sighting[],
  countOf: (sighting: store.Sighting) => number,
): store.Fares | undefined {
  let row: SignalRow | undefined;
  let lastScopeId = "";
  let updatedAt = new Date(0);
  for (const sighting of sightings) {
    const count = countOf(sighting);
    row = follow(row, { count, exercised: sighting.exercised, at: sighting.at.getTime() });
    updatedAt = sighting.at;
    if (count > 0) lastScopeId = sighting.scopeId;
  }
  if (!row) return undefined;
  return {
    status: row.status,
    occurrenceCount: row.occurrenceCount,
    lastCount: row.lastCount,
    firstSeenAt: new Date(row.firstSeenAt),
    lastSeenAt: new Date(row.lastSeenAt),
    resolvedAt: row.resolvedAt === null ? null : new Date(row.resolvedAt),
    lastScopeId,
    updatedAt,
  };
}

function toFinding(row: store.FindingRow): ProjectFinding {
  return {
    id: row.findingId,
    family: { kind: row.familyKind, id: row.familyId, label: row.familyLabel },
    finding: row.finding,
    status: row.status,
    occurrenceCount: row.occurrenceCount,
    fingerprint: row.fingerprint,
    // Of a dismissed one whose signal is gone: what it is about, as it says itself.
    dimension: row.dimension ?? row.finding.category,
    subject: row.subject ?? { kind: "finding", id: row.findingId, label: row.finding.title },
    lastSeenIn: asCallersKnow(row.projectId, { kind: row.lastScopeKind, id: row.lastScopeId }),
    firstSeenAt: row.firstSeenAt.getTime(),
    lastSeenAt: row.lastSeenAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    resolvedAt: row.resolvedAt?.getTime() ?? null,
    dismissedAt: row.dismissedAt?.getTime() ?? null,
  };
}

/** The last seen first. */
export async function listFindings(
  app: App,
  filter: store.FindingFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<ProjectFinding>> {
  const after = cursor === undefined ? undefined : afterFinding(cursor);
  const rows = await store.listFindings(app.db, { ...filter, after, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, (last) =>
    writeCursor(last.lastSeenAt, last.findingId, last.familyId),
  );
  return {
    items: shown.map(toFinding),
    ...next,
  };
}

function afterFinding(cursor: string): store.AfterFinding {
  const [at, findingId, familyId] = readCursor(cursor, ["moment", "id", "id"]);
  return { at: new Date(Number(at)), findingId, familyId };
}

export interface FindingKey {
  projectId: ProjectId;
  familyId: string;
  findingId: string;
}

async function requireFinding(app: App, key: FindingKey): Promise<store.FindingRow> {
  const row = await store.findFinding(app.db, key);
  if (!row) {
    throw missing(
      "There is no such finding.",
      "Findings are listed with the suite or scenario that they are of.",
    );
  }
  return row;
}

export async function readFinding(app: App, key: FindingKey): Promise<ProjectFindingDetail> {
  const row = await requireFinding(app, key);
  const sightings = await store.listSightings(app.db, key, [row.fingerprint]);
  return {
    ...toFinding(row),
    trend: sightings.map(({ scopeKind, scopeId, at, exercised, findings }) => ({
      scope: asCallersKnow(key.projectId, { kind: scopeKind, id: scopeId }),
      at: at.getTime(),
      count: findings[key.findingId] ?? 0,
      exercised,
    })),
  };
}

/** By whom: dismissed. Null: brought back. Said again, it stays as it was. */
export async function setDismissed(app: App, key: FindingKey, by: UserId | null): Promise<ProjectFinding> {
  const row = await requireFinding(app, key);
  if ((row.dismissedAt !== null) !== (by !== null)) {
    await app.db.transaction(async (tx) => {
      const dismissedAt = by === null ? null : new Date(app.now());
      await store.updateFinding(tx, key, { dismissedAt, dismissedBy: by });
      await announceInProject(app, tx, key.projectId, "findings");
    });
  }
  return toFinding(await requireFinding(app, key));
}
