/** Against the real service, the real engine and the bookshop, spoiled and mended. */
import { InsightsEnvelope } from "@fettle/contract/insights";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openSampleWorkspace } from "../start/sample/workspace.ts";
import { testBrowser } from "../testing/browser.ts";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { askCase } from "../testing/eval-suite.ts";
import { testService } from "../testing/service.ts";
import { type SpoiledBookshop, startSpoiledBookshop } from "../testing/spoiled-bookshop.ts";
import type { PersonName } from "../testing/world.ts";
import { pruneInsights } from "./prune.ts";

let shop: SpoiledBookshop;
let bench: EvalBench;
beforeAll(async () => {
  shop = await startSpoiledBookshop();
  bench = await evalBench(shop.url);
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await shop[Symbol.asyncDispose]();
});

const books = ["tin-swallows", "the-orchard-below", "small-weather"];
const cases = books.map((book) =>
  askCase(`stock-${book}`, `Check the stock of the book with bookId = "${book}"`, "check_stock"),
);

async function play(suiteId: string) {
  const { body } = await bench.call("POST", "/eval-runs", { suiteId, idempotencyKey: crypto.randomUUID() });
  await bench.ended(body.runId);
  return { runId: body.runId as string, insights: await envelopeOf(body.runId) };
}

/** Once nobody is at work on it. */
const envelopeOf = (runId: string) =>
  vi.waitFor(async () => {
    const { body } = await bench.call("GET", `/eval-runs/${runId}`);
    expect(body.insights.status).not.toBe("pending");
    return InsightsEnvelope.parse(body.insights);
  }, 60_000);

const inApp = (person: PersonName = "member") => {
  const browser = testBrowser(bench.service);
  const [name = "", value = ""] = bench.world.people[person].cookie.split("=");
  browser.cookies.set(name, value);
  return (path: string, method = "GET") =>
    browser.call(`/app/projects/${bench.world.projectId}/findings${path}`, { method });
};

const fails = (toolName: string) => (called: string, call: number) =>
  called === toolName ? `Stock of shelf ${call + 1} cannot be read: index corrupt` : undefined;

describe("a finding over several runs", () => {
  test("is new, recurs, is resolved when the server is mended, and regresses with a relapse; dismissed, it stays so", async () => {
    const suiteId = await bench.suite(cases);
    const call = inApp();
    const found = async () => {
      const { body } = await call(`?familyId=${suiteId}`);
      return body.items.find(
        (one: { finding: { target?: { toolName?: string } } }) =>
          one.finding.target?.toolName === "check_stock",
      );
    };
    shop.spoil = fails("check_stock");
    const first = await play(suiteId);
    expect(first.insights).toMatchObject({
      status: "completed",
      reasonCode: "deterministic_only",
      retryable: false,
    });
    const [finding] = first.insights.findings;
    expect(finding).toMatchObject({
      category: "tool_runtime",
      actionTarget: "mcp_server",
      affected: { count: 3, total: 3, unit: "iterations" },
      target: { serverId: bench.server.id, toolName: "check_stock" },
    });
    expect(await found()).toMatchObject({
      id: finding!.id,
      status: "new",
      occurrenceCount: 1,
      dismissedAt: null,
    });

    const dismissed = await call(`/${suiteId}/${finding!.id}/dismiss`, "POST");
    expect(dismissed).toMatchObject({ status: 200, body: { dismissedAt: expect.any(Number) } });
    const { dismissedAt } = dismissed.body;

    const second = await play(suiteId);
    expect(second.insights.findings[0]!.id).toBe(finding!.id);
    expect(await found()).toMatchObject({ status: "recurring", occurrenceCount: 2, dismissedAt });

    // Asking again finds the same, and changes nothing that a person said.
    expect((await bench.call("POST", `/eval-runs/${second.runId}/insights`, {})).status).toBe(202);
    const again = await envelopeOf(second.runId);
    expect(again.findings).toEqual(second.insights.findings);
    expect(await found()).toMatchObject({ status: "recurring", occurrenceCount: 2, dismissedAt });

    shop.spoil = () => undefined;
    const mended = await play(suiteId);
    expect(mended.insights).toMatchObject({ status: "completed", findings: [] });
    expect(await found()).toMatchObject({ status: "resolved", resolvedAt: expect.any(Number), dismissedAt });

    shop.spoil = fails("check_stock");
    const relapse = await play(suiteId);
    expect(relapse.insights.findings[0]!.id).toBe(finding!.id);
    const { body } = await call(`/${suiteId}/${finding!.id}`);
    expect(body).toMatchObject({
      status: "regressed",
      occurrenceCount: 3,
      resolvedAt: null,
      dismissedAt,
      lastSeenIn: { kind: "eval_run", id: relapse.runId },
      trend: [first, second, mended, relapse].map(({ runId }, index) => ({
        scope: { kind: "eval_run", id: runId },
        count: index === 2 ? 0 : 3,
        exercised: 3,
      })),
    });
    expect((await call(`/${suiteId}/${finding!.id}/restore`, "POST")).body.dismissedAt).toBeNull();
    expect((await call("?dismissed=true")).body.items).toEqual([]);
    shop.spoil = () => undefined;
  });
});

test("the sample's failing run names the tool that nobody finds", async () => {
  await using service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  await service.app.work();
  const { projectId, apiKey: key } = (await openSampleWorkspace(service.app, shop.url))!;
  const path = `/api/v1/projects/${projectId}/eval-runs`;
  const run = await vi.waitFor(async () => {
    const { body } = await service.call(`${path}?status=completed`, { key });
    expect(body.items).toHaveLength(2);
    return body.items[0];
  }, 60_000);
  const { findings } = await vi.waitFor(async () => {
    const { body } = await service.call(`${path}/${run.id}`, { key });
    expect(body.insights.status).toBe("completed");
    return InsightsEnvelope.parse(body.insights);
  }, 60_000);
  expect(findings).toMatchObject([
    {
      title: expect.stringContaining("shelf_info"),
      affected: { count: 2, total: 2, unit: "iterations" },
      evidence: expect.arrayContaining([
        expect.objectContaining({ excerpt: expect.stringContaining("Where do I find") }),
      ]),
    },
  ]);
});

test("secrets that a server says reach neither an envelope nor a row", async () => {
  const suiteId = await bench.suite(cases);
  const canaries = {
    key: "sk-live-canary0123456789abcdefABCDEF",
    jwt: "eyJhbGciOiJIUzI1NiJ9.eyJjYW5hcnkiOiJjYW5hcnkifQ.c2lnbmF0dXJlY2FuYXJ5",
    password: "postgres://admin:canary-pw@db.internal:5432/shop",
  };
  shop.spoil = () =>
    `Upstream refused Authorization: Bearer ${canaries.jwt} with api_key=${canaries.key} at ${canaries.password}`;
  const { insights } = await play(suiteId);
  shop.spoil = () => undefined;
  expect(insights.findings.length).toBeGreaterThan(0);
  const { rows } = await bench.service.app.db.execute(sql`
    select facts::text as kept from insight_facts
    union all select analysis::text from insights
    union all select finding::text from insight_findings
    union all select subject::text from insight_signals`);
  const kept = JSON.stringify(rows) + JSON.stringify(insights);
  expect(kept).toContain("check_stock");
  for (const secret of ["canary0123456789", "c2lnbmF0dXJlY2FuYXJ5", "canary-pw"])
    expect(kept).not.toContain(secret);
});

test("of a suite that was deleted nothing is kept", async () => {
  const suiteId = await bench.suite(cases);
  shop.spoil = fails("check_stock");
  await play(suiteId);
  shop.spoil = () => undefined;
  const { app } = bench.service;
  const count = async () => {
    const { rows } = await app.db.execute(sql`
      select (select count(*) from insights where family_id = ${suiteId})::int as envelopes,
        (select count(*) from insight_findings where family_id = ${suiteId})::int as findings,
        (select count(*) from insight_sightings where family_id = ${suiteId})::int as sightings,
        (select count(*) from insight_facts where unit_kind = 'iteration'
          and not exists (select 1 from eval_iterations i where i.id = unit_id))::int as lost`);
    return rows[0];
  };
  await pruneInsights(app);
  expect(await count()).toEqual({ envelopes: 1, findings: 1, sightings: 1, lost: 0 });
  await app.db.execute(sql`delete from eval_suites where id = ${suiteId}`);
  await pruneInsights(app);
  expect(await count()).toEqual({ envelopes: 0, findings: 0, sightings: 0, lost: 0 });
});

describe("who may see", () => {
  test("members of the workspace get the envelope, people of the project alone get the run without it, others nothing", async () => {
    const { runId } = await play(await bench.suite(cases.slice(0, 1)));
    const seen = async (person: PersonName) => {
      const { status, body } = await bench.call("GET", `/eval-runs/${runId}`, undefined, { person });
      return [status, body.insights?.status];
    };
    expect(await seen("member")).toEqual([200, "completed"]);
    expect(await seen("owner")).toEqual([200, "completed"]);
    expect(await seen("editor")).toEqual([200, undefined]);
    expect(await seen("stranger")).toEqual([404, undefined]);
    for (const [method, path] of [
      ["POST", "insights"],
      ["DELETE", "insights"],
    ] as const) {
      const ask = (person: PersonName) =>
        bench.call(method, `/eval-runs/${runId}/${path}`, method === "POST" ? {} : undefined, { person });
      expect((await ask("editor")).status).toBe(403);
      expect((await ask("stranger")).status).toBe(404);
    }
    expect((await inApp("editor")("")).status).toBe(403);
    expect((await inApp("stranger")("")).status).toBe(404);
    expect((await inApp()(`/none/rf_0000000000000000`)).status).toBe(404);
  });
});
