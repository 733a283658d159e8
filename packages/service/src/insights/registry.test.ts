import type { ProjectId } from "@fettle/contract/core";
import type { ActionableFinding } from "@fettle/contract/insights";
import type { Mined } from "@fettle/insights";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, testApp } from "../testing/app.ts";
import { makeOrganization, makePerson, makeProject } from "../testing/people.ts";
import { readFinding, recordScope, setDismissed } from "./registry.ts";
import type { OpenScope } from "./source.ts";

let app: TestApp;
let projectId: ProjectId;
let organizationId: Awaited<ReturnType<typeof makeOrganization>>;
beforeAll(async () => {
  app = await testApp();
  organizationId = await makeOrganization(app.db);
  projectId = await makeProject(app.db, organizationId);
});
afterAll(() => app.stop());

const findingId = "rf_0123456789abcdef";
const finding: ActionableFinding = {
  id: findingId,
  signalFingerprint: "tool_errors:tool:srv/stock",
  title: "stock fails",
  category: "tool_runtime",
  attribution: "server_runtime",
  actionTarget: "investigate",
  actionability: "investigate",
  severity: "high",
  confidence: "medium",
  observed: "It failed.",
  recommendation: "Mend it.",
  acceptanceCriteria: [],
  affected: { count: 3, total: 3, unit: "iterations" },
  evidence: [],
};

const coverage = {
  unit: "iterations",
  analyzed: 3,
  total: 3,
  truncated: false,
  lowConfidence: true,
} as const;

/** A scope in which the signal showed in so many units of three. */
function mined(count: number): Mined {
  const isFired = count > 0;
  return {
    findings: isFired ? [{ ...finding, affected: { ...finding.affected, count } }] : [],
    signals: isFired
      ? [
          {
            fingerprint: finding.signalFingerprint,
            detector: "tool_errors",
            subject: { kind: "tool", id: "srv/stock", label: "stock" },
            count,
            exercised: 3,
            findingIds: [findingId],
          },
        ]
      : [],
    coverage,
    summary: "",
    omittedEvidence: 0,
    isContractTruncated: false,
    isOverflowing: false,
    exercised: () => 3,
  };
}

const scope = (familyId: string, day: number): OpenScope => ({
  scope: { kind: "eval_run", id: `${familyId}-run-${day}` },
  projectId,
  organizationId,
  family: { kind: "suite", id: familyId, label: "Suite" },
  at: Date.UTC(2026, 0, day),
  total: 3,
  units: [],
  snapshots: [],
  read: async () => [],
});

/** Day by day: how many units showed it. */
const days = [3, 2, 0, 1, 1];
const record = (familyId: string, day: number, count = days[day - 1]!) =>
  app.db.transaction((tx) => recordScope(tx, scope(familyId, day), mined(count)));
const read = (familyId: string) => readFinding(app, { projectId, familyId, findingId });
const fares = async (familyId: string) => {
  const { family: _family, lastSeenIn: _in, trend, ...rest } = await read(familyId);
  return { ...rest, trend: trend.map(({ at, count, exercised }) => ({ at, count, exercised })) };
};

test("fares the same in whatever order, and however often, its scopes are mined", async () => {
  const orders = [
    [1, 2, 3, 4, 5],
    [5, 4, 3, 2, 1],
    [3, 1, 5, 2, 4, 1, 3, 3, 5],
  ];
  const results = [];
  for (const [index, order] of orders.entries()) {
    for (const day of order) await record(`suite-${index}`, day);
    // One that found nothing before anything was known leaves nothing behind, and is mined again here.
    await record(`suite-${index}`, 3);
    results.push(await fares(`suite-${index}`));
  }
  expect(results[0]).toMatchObject({ status: "recurring", occurrenceCount: 4, resolvedAt: null });
  expect(results[0]!.trend.map(({ count }) => count)).toEqual(days);
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});

test("is dismissed in its own family alone, until somebody brings it back", async () => {
  const userId = await makePerson(app.db);
  for (const family of ["one", "other"]) await record(family, 1);
  const key = { projectId, familyId: "one", findingId };
  const { dismissedAt } = await setDismissed(app, key, userId);
  expect(dismissedAt).not.toBeNull();
  expect((await setDismissed(app, key, userId)).dismissedAt).toBe(dismissedAt);
  await record("one", 2);
  expect((await read("one")).dismissedAt).toBe(dismissedAt);
  expect((await read("other")).dismissedAt).toBeNull();
  // Mined again by better rules, its only scopes show nothing any more: what a person said of it stays.
  await record("one", 1, 0);
  await record("one", 2, 0);
  await record("one", 3);
  await record("one", 4);
  expect(await read("one")).toMatchObject({ dismissedAt, status: "new" });
  expect((await setDismissed(app, key, null)).dismissedAt).toBeNull();
});
