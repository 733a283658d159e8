import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { evalBench } from "../testing/eval-bench.ts";
import { startEvalStub } from "../testing/eval-stub.ts";
import { askCase } from "../testing/eval-suite.ts";
import { startProcess } from "../testing/process.ts";
import { startSpoiledBookshop } from "../testing/spoiled-bookshop.ts";

test("a worker killed while it makes insights leaves what it found, and another goes on without reading again", async () => {
  await using stack = new AsyncDisposableStack();
  const shop = stack.use(await startSpoiledBookshop());
  shop.spoil = (toolName) => (toolName === "check_stock" ? "Stock cannot be read: index corrupt" : undefined);
  const stub = stack.use(await startEvalStub());
  const database = await testDatabase();
  stack.defer(() => database.close());
  const env = { ...stub.env, FETTLE_SECRET_KEY: "k".repeat(40), FETTLE_INSIGHTS_MODEL: stub.model };
  const bench = await evalBench(shop.url, { env, database });
  stack.defer(() => bench.service.close());
  const home = mkdtempSync(join(tmpdir(), "fettle-worker-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const startWorker = async () => {
    const worker = startProcess(join(import.meta.dirname, "..", "testing", "app-worker.ts"), ["1500"], {
      env: { ...env, FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
    });
    stack.defer(() => worker.kill());
    await worker.line(/^ready$/);
    return worker;
  };

  const victim = await startWorker();
  const cases = ["tin-swallows", "small-weather"].map((book) =>
    askCase(book, `Check the stock of the book with bookId = "${book}"`, "check_stock"),
  );
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId: await bench.suite(cases) })).body;
  await bench.ended(runId);
  const insights = async () => (await bench.call("GET", `/eval-runs/${runId}`)).body.insights;
  const found = await vi.waitFor(async () => {
    const envelope = await insights();
    expect(envelope.status).toBe("completed");
    return envelope;
  }, 60_000);

  let asked = 0;
  stub.onModel = () => {
    asked += 1;
    return { fault: "silence" };
  };
  await bench.call("POST", `/eval-runs/${runId}/insights`, {});
  await vi.waitFor(() => expect(asked).toBe(1), 60_000);
  await victim.kill("SIGKILL");
  expect(await insights()).toMatchObject({ status: "pending", findings: found.findings });

  // What was kept of the conversations is enough: their traces are gone, and the findings are the same.
  await database.db.execute(sql`delete from eval_iteration_traces`);
  stub.onModel = () => JSON.stringify({ summary: "The index is broken.", items: [] });
  await startWorker();
  await vi.waitFor(
    async () =>
      expect(await insights()).toMatchObject({
        status: "completed",
        reasonCode: "model_enriched",
        summary: "The index is broken.",
        findings: found.findings,
      }),
    { timeout: 60_000, interval: 200 },
  );
  const { rows } = await database.db.execute(
    sql`select count(*)::int as sightings, count(distinct fingerprint)::int as signals from insight_sightings`,
  );
  expect(rows[0]).toEqual({ sightings: rows[0]!.signals, signals: rows[0]!.signals });
});
