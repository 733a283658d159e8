/** @module What a hosted run makes of everything that a provider may answer: the table that local runs are held to, played through the service. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { said, startTinyServer, type TinyServer } from "../../../evals/src/agent/testing/tiny-server.ts";
import {
  type ModelServer,
  startModelServer,
  testKey,
} from "../../../evals/src/models/testing/model-server.ts";
import {
  lostOutcomes,
  providerPaths,
  verdictOutcomes,
} from "../../../evals/src/run/testing/provider-outcomes.ts";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import type { CaseWanted } from "../testing/eval-suite.ts";

/** What would be waited for, for a minute or two, is told by the local table alone. */
const slow = ["a 429 that names no time", "silence"];
const lost = Object.entries(lostOutcomes).filter(([what]) => !slow.includes(what));

let bench: EvalBench;
let shop: TinyServer;
let folder: string;
const servers = new Map<string, ModelServer>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fettle-outcomes-"));
  shop = await startTinyServer("shop", { get_order: { run: () => said("shipped") } });
  const providers: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(providerPaths)) {
    const server = await startModelServer();
    servers.set(name, server);
    const [provider = "", slug = ""] = name.split(/[/:]/);
    const settings = { apiKey: testKey, baseUrl: `${server.origin}${path}` };
    if (provider === "custom") custom[slug] = settings;
    // Two models of one provider are asked at one address.
    else providers[provider] ??= settings;
    if (providers[provider] !== settings && provider !== "custom") {
      await server.kill();
      servers.set(name, servers.get([...servers.keys()].find((other) => other.startsWith(`${provider}/`))!)!);
    }
  }
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify({ models: { providers: { ...providers, custom } } }));
  bench = await evalBench(shop.url, { env: { FETTLE_CONFIG: config } });
}, 60_000);
afterAll(async () => {
  await bench?.service.close();
  await shop?.kill();
  for (const server of new Set(servers.values())) await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

const caseOf = (id: string, isNegative: boolean): CaseWanted => ({
  id,
  steps: [{ id: "ask", kind: "prompt", prompt: `Order 17? (${id}.)` }],
  isNegative,
  ...(!isNegative && {
    checks: { mode: "extend" as const, list: [{ type: "toolCalledAtLeastOnce", toolName: "get_order" }] },
  }),
});

it("loses what is no answer and judges what is one, on every provider", async () => {
  const runs: { name: string; runId: string; wanted: Record<string, [string, string | null]> }[] = [];
  for (const [index, name] of Object.keys(providerPaths).entries()) {
    const server = servers.get(name)!;
    const wanted: Record<string, [string, string | null]> = {};
    const cases: CaseWanted[] = [];
    const add = (
      what: string,
      acts: (typeof lostOutcomes)[string]["acts"],
      asked: string | null,
      none: string | null,
    ) => {
      for (const [isNegative, result] of [
        [false, asked],
        [true, none],
      ] as const) {
        const id = `p${index}-${what.replace(/[^a-z0-9]+/gi, "-")}${isNegative ? "-none" : ""}`;
        server.willWhen(`(${id}.)`, ...acts);
        cases.push(caseOf(id, isNegative));
        wanted[id] = [result === null ? "failed" : "completed", result];
      }
    };
    for (const [what, { acts, asked, none }] of Object.entries(verdictOutcomes)) add(what, acts, asked, none);
    for (const [what, { acts }] of lost) add(what, acts, null, null);
    const suiteId = await bench.suite(cases, { model: name, provider: null, name });
    const { status, body } = await bench.call("POST", "/eval-runs", { suiteId });
    expect([name, status, body.message]).toEqual([name, 202, undefined]);
    runs.push({ name, runId: body.runId, wanted });
  }
  await bench.service.app.work();
  for (const { name, runId, wanted } of runs) {
    await bench.ended(runId);
    const { items } = (await bench.call("GET", `/eval-runs/${runId}/iterations?limit=100`)).body;
    const came = items.map(
      ({ caseKey, status, result }: { caseKey: string; status: string; result: string | null }) => [
        caseKey,
        [status, result],
      ],
    );
    expect([name, Object.fromEntries(came)]).toEqual([name, wanted]);
    for (const { result, error } of items) if (result === null) expect(error).toMatch(/\w/);
  }
}, 300_000);
