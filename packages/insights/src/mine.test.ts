import { InsightsEnvelope } from "@fettle/contract/insights";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { E, S, U } from "./detectors/detector.ts";
import { detectors } from "./detectors/registry.ts";
import { analysisOf, envelopeOf } from "./envelope/envelope.ts";
import { follow } from "./envelope/lifecycle.ts";
import { factsReader } from "./facts/read-unit.ts";
import type { UnitFacts } from "./facts/unit-facts.ts";
import { seeded, snapshot } from "./testing/bookshop.ts";
import { findingsOf, judge, minedFacts, minedOf } from "./testing/mined.ts";
import { clean, fails, observed, type Plant } from "./testing/plant.ts";
import { plants } from "./testing/plants.ts";

const factsOf = factsReader({ snapshots: [snapshot], judge });
const perPlant = 4;
const scopes = [E, S, U] as const;

/** Every problem of a kind of scope, and as many conversations without one. */
function sessions(scope: Plant["scope"], seed: number, chosen: readonly Plant[] = plants): UnitFacts[] {
  const values = seeded(seed);
  const planted = chosen
    .filter((plant) => plant.scope === scope)
    .flatMap((plant, at) =>
      Array.from({ length: plant.units ?? perPlant }, (_, nth) =>
        plant.unit(`${plant.detector}-${at}-${nth}`, values, nth),
      ),
    );
  const others = Array.from({ length: 24 }, (_, nth) => clean(scope, `clean-${nth}`, values));
  return [...planted, ...others].map(factsOf);
}

const mined = minedFacts;

function envelope(scope: Plant["scope"], facts: readonly UnitFacts[]): InsightsEnvelope {
  const state = {
    status: "completed",
    reasonCode: "deterministic_only",
    generatedAt: 1,
    updatedAt: 1,
  } as const;
  return envelopeOf({ kind: scope, id: "it" }, state, analysisOf(mined(scope, facts)));
}

test("every detector has a planted problem", () => {
  expect(new Set(plants.map(({ detector }) => detector))).toEqual(new Set(detectors.map(({ id }) => id)));
  const all = scopes.flatMap((scope) => sessions(scope, 1));
  expect(all.length).toBeGreaterThanOrEqual(200);
});

describe.each(scopes)("%s: among all other problems", (scope) => {
  const all = mined(scope, sessions(scope, 1));

  test.each(plants.filter((plant) => plant.scope === scope))("$detector", (plant) => {
    const { category, attribution, actionTarget, actionability, tool, surface, field } = plant;
    const found = findingsOf(plant.detector, all).map((one) => ({
      category: one.category,
      attribution: one.attribution,
      actionTarget: one.actionTarget,
      actionability: one.actionability,
      ...(tool && { tool: one.target?.toolName }),
      ...(surface && { surface: one.target?.surface }),
      ...(field && { field: one.target?.fieldPath }),
    }));
    const expected = { category, attribution, actionTarget, actionability };
    expect(found).toContainEqual({
      ...expected,
      ...(tool && { tool }),
      ...(surface && { surface }),
      ...(field && { field }),
    });
  });
});

describe.each(scopes)("%s", (scope) => {
  const facts = sessions(scope, 1);

  test("finds nothing in conversations in which nothing is wrong", () => {
    const { findings, summary } = mined(scope, sessions(scope, 1, []));
    expect(findings).toEqual([]);
    expect(summary).toBe(`No anomalies in 24 ${scope === E ? "iterations" : "sessions"}.`);
  });

  test("shows no conversation as evidence in which nothing is wrong", () => {
    const accused = mined(scope, facts).findings.flatMap(({ evidence }) =>
      evidence.filter(({ kind }) => kind !== "contrast").map((one) => one.sessionId ?? one.iterationId),
    );
    expect(accused.filter((id) => id === undefined || id.startsWith("clean"))).toEqual([]);
  });

  test("keeps every id when uuids, dates, numbers, paths and hosts are others", () => {
    const ids = [1, 2, 3].map((seed) =>
      mined(scope, sessions(scope, seed))
        .findings.map(({ id }) => id)
        .sort(),
    );
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
  });

  test("says the same, byte for byte, in whatever order the conversations come", () => {
    const once = JSON.stringify(mined(scope, facts));
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (shuffled) => {
        expect(JSON.stringify(mined(scope, shuffled))).toBe(once);
      }),
      { numRuns: 20 },
    );
  });

  test("gives the same from facts that were stored meanwhile", () => {
    const stored: UnitFacts[] = JSON.parse(JSON.stringify(facts));
    expect(JSON.stringify(mined(scope, stored))).toBe(JSON.stringify(mined(scope, facts)));
  });

  test("answers in the contract's shape, and counts what it leaves out", () => {
    const told = envelope(scope, facts);
    expect(InsightsEnvelope.parse(told)).toEqual(told);
    expect(told.findings.length).toBeLessThanOrEqual(20);
    const ids = mined(scope, facts).findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(told.findings.length + told.truncation.omittedFindings).toBe(mined(scope, facts).findings.length);
    for (const finding of told.findings) {
      expect(finding.evidence.length).toBeGreaterThan(0);
      expect(finding.evidence.length).toBeLessThanOrEqual(4);
      expect(finding.affected.count).toBeLessThanOrEqual(finding.affected.total);
    }
  });
});

test("says how many there are where not all of them were looked at", () => {
  const facts = sessions(U, 1, []);
  expect(mined(U, facts).coverage).toMatchObject({ analyzed: 24, total: 24, truncated: false });
  expect(minedFacts(U, facts, { total: 40 }).coverage).toMatchObject({
    analyzed: 24,
    total: 40,
    truncated: true,
  });
});

test.each([
  ["Order 8812 not found", "rf_53295ce16e870d9e"],
  ['User "alice@example.com" (id usr_9f8e7d6c5b) does not exist', "rf_603156ba0fa7da31"],
  [
    "Request failed with status code 503 (request id 6f9619ff-8b86-d011-b42d-00cf4fc964ff)",
    "rf_76375c86a9c35de9",
  ],
  [
    "Request failed with status code 500 (request id 6f9619ff-8b86-d011-b42d-00cf4fc961a0)",
    "rf_bc6234bc765b5580",
  ],
  ["connect ECONNREFUSED 10.0.0.7:5432", "rf_3d683d466111bd8d"],
])("%s is known by its id from end to end", (text, id) => {
  const tool = {
    name: "create_event",
    inputSchema: { type: "object", properties: { user_id: { type: "string" } } },
  };
  const snapshots = [{ serverId: "srv_demo", serverName: "demo", hash: "h", takenAt: 1, tools: [tool] }];
  const units = [1, 2].map((nth) => {
    const unit = observed(U, `s-${nth}`, fails("create_event", {}, text));
    return { ...unit, calls: unit.calls.map((call) => ({ ...call, serverId: "srv_demo" })) };
  });
  expect(findingsOf("tool_errors", minedOf(U, units, { snapshots })).map((one) => one.id)).toEqual([id]);
});

test("a mended tool is resolved, once enough have called it without trouble; back again, it has regressed", () => {
  const said = (words: string | null) => (_: unknown, nth: number) =>
    observed(
      U,
      `s-${nth}`,
      words === null
        ? [{ user: "Cancel", calls: [{ toolName: "cancel_order", arguments: { order_id: `${nth}` } }] }]
        : fails("cancel_order", { order_id: `${nth}` }, words),
    );
  const scopeOf = (count: number, words: string | null) =>
    minedOf(U, Array.from({ length: count }, said(words)));
  const broken = scopeOf(5, "The till is offline");
  const [{ fingerprint } = { fingerprint: "" }] = broken.signals.filter(
    ({ detector }) => detector === "tool_errors",
  );
  const elsewhere = minedOf(
    U,
    Array.from({ length: 9 }, (_, nth) =>
      observed(U, `s-${nth}`, fails("get_book", { book_id: "b1" }, "No")),
    ),
  );
  const statuses: (string | undefined)[] = [];
  let row: ReturnType<typeof follow>;
  for (const [at, mined] of [
    broken,
    elsewhere,
    scopeOf(2, null),
    scopeOf(5, null),
    broken,
    broken,
  ].entries()) {
    const count = mined.signals.find((signal) => signal.fingerprint === fingerprint)?.count ?? 0;
    row = follow(row, { count, exercised: mined.exercised(fingerprint), at });
    statuses.push(row?.status);
  }
  expect(statuses).toEqual(["new", "new", "new", "resolved", "regressed", "recurring"]);
});
