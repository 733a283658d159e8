/** @module Conformance on one's own machine: over HTTP and over stdio, compared, exported, kept as files, and stopped with nothing left. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConformanceRun } from "@fettle/contract/servers";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everythingOverStdio } from "../../../mcp/src/testing/everything-server.ts";
import { localInspector } from "../testing/inspector/local-inspector.ts";

const runs = "/api/v1/projects/proj_local/conformance-runs";
let local: Awaited<ReturnType<typeof localInspector>>;
let bookshop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  [local, bookshop] = await Promise.all([localInspector(), startBookshop()]);
});
afterAll(() => Promise.all([local.stop(), bookshop.close()]));

const start = (serverId: string, body: object) =>
  local.say("POST", `/api/v1/projects/proj_local/servers/${serverId}/conformance-runs`, body);
const read = async (id: unknown) =>
  (await local.say("GET", `${runs}/${id}`)).body as unknown as ConformanceRun;
async function ended(id: unknown): Promise<ConformanceRun> {
  await expect.poll(async () => (await read(id)).status, { timeout: 120_000 }).not.toMatch(/queued|running/);
  return read(id);
}
const saveBookshop = (more: object = {}) =>
  local.save({ name: crypto.randomUUID(), transportType: "http", url: bookshop.url, ...more });

it("runs the suites, compares with the run before, exports, and keeps all of it over a restart", async () => {
  const secret = "canary-51b0e4";
  const id = await saveBookshop({ headers: { authorization: `Bearer ${secret}` } });
  const first = await start(id, { idempotencyKey: "once" });
  expect([first.status, first.body]).toEqual([
    202,
    expect.objectContaining({
      status: "running",
      deduped: false,
      requestedSuites: ["protocol", "apps", "tasks"],
    }),
  ]);
  const again = await start(id, { idempotencyKey: "once" });
  expect(again.body).toMatchObject({ runId: first.body.runId, deduped: true });
  const other = await start(id, { idempotencyKey: "once", suites: ["apps"] });
  expect(other.body).toMatchObject({ code: "CONFLICT", details: { code: "IDEMPOTENCY_CONFLICT" } });
  const run = await ended(first.body.runId);
  expect(run).toMatchObject({ status: "completed", outcome: "passed", serverId: id });
  expect(run.passed).toBeGreaterThan(30);
  expect(run.reportUrl).toBe(`${local.running().url}/p/proj_local/conformance/${run.id}`);

  const second = await ended((await start(id, { suites: ["protocol"] })).body.runId);
  const compared = await local.say("GET", `${runs}/${second.id}/compare`);
  expect(compared.body).toMatchObject({ earlier: { runId: run.id }, turned: [] });
  expect(compared.body.same).toBeGreaterThan(30);
  const unknown = await local.say("GET", `${runs}/${second.id}/compare?with=crun_unknown`);
  expect(unknown.status).toBe(404);

  await local.restart();
  const { items, nextCursor } = (await local.say("GET", `${runs}?serverId=${id}&limit=1`)).body;
  expect(items).toMatchObject([{ id: second.id }]);
  const rest = await local.say("GET", `${runs}?serverId=${id}&cursor=${nextCursor}`);
  expect(rest.body).toMatchObject({ items: [{ id: run.id, score: run.score }] });
  const report = await local.say(
    "GET",
    `/app/projects/proj_local/conformance-runs/${run.id}/reports/protocol`,
  );
  expect(report.body).toMatchObject({ kind: "protocol-conformance", passed: true });
  expect((await local.say("GET", `${runs}/${run.id}/report`)).body).toMatchObject({ totalFailingCases: 0 });
  for (const [format, opening] of [
    ["json", "{"],
    ["json-summary", "{"],
    ["junit-xml", "<?xml"],
  ]) {
    const file = await local.say("GET", `${runs}/${run.id}/export?format=${format}`);
    expect(String(file.body.content).slice(0, opening!.length)).toBe(opening);
  }
  const verdicts = await local.say(
    "GET",
    `/api/v1/projects/proj_local/servers/${id}/history?kind=conformance`,
  );
  expect(verdicts.body).toMatchObject({ items: [{ runId: second.id, outcome: "ok" }, { runId: run.id }] });

  const folder = join(local.home, "inspector", "conformance");
  expect(
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join(),
  ).not.toContain(secret);
  await local.say("DELETE", `/api/v1/projects/proj_local/servers/${id}`);
  expect(readdirSync(folder).filter((name) => name.startsWith(run.id))).toEqual([]);
  expect((await local.say("GET", `${runs}/${run.id}`)).status).toBe(404);
});

it("checks a command over stdio once it was approved, and starts nothing before", async () => {
  const id = await local.save({ name: "Over stdio", transportType: "stdio", ...everythingOverStdio });
  const refused = await start(id, { suites: ["protocol"] });
  expect(refused.body).toMatchObject({ details: { reason: "approval_required" } });
  expect((await local.say("GET", `${runs}?serverId=${id}`)).body).toEqual({ items: [] });
  await local.say("POST", "/api/mcp/approve", { serverId: id });
  const run = await ended((await start(id, { suites: ["protocol"] })).body.runId);
  expect(run.status).toBe("completed");
  expect(run.passed).toBeGreaterThan(10);
});

it("never calls a server that cannot be reached a failure, and leaves the OAuth suite to the terminal", async () => {
  const id = await saveBookshop({ url: "http://127.0.0.1:9/mcp" });
  const run = await ended((await start(id, {})).body.runId);
  expect(run).toMatchObject({ status: "completed", outcome: "incomplete", failed: 0 });
  expect((await start(id, { suites: ["oauth"] })).body).toMatchObject({
    details: { code: "SUITE_NOT_HOSTED" },
  });
});

it("stops when it is told to, or when the inspector does, and the run says so", async () => {
  const id = await saveBookshop();
  const { body } = await start(id, {});
  const cancelled = await local.say("POST", `${runs}/${body.runId}/cancel`, {});
  expect(cancelled.body).toMatchObject({ status: "cancelled" });
  expect((await local.say("POST", `${runs}/${body.runId}/cancel`, {})).status).toBe(409);
  const { body: left } = await start(id, {});
  await local.restart();
  expect(await read(left.runId)).toMatchObject({ status: "cancelled" });
});
