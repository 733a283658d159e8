import { expect, test } from "vitest";
import { call, scriptedModel } from "../agent/testing/scripted-model.ts";
import { said, startTinyServer } from "../agent/testing/tiny-server.ts";
import { runSuite } from "../run/run-suite.ts";
import type { SuiteRecord } from "../run/suite-record.ts";
import type { SuiteCase } from "../suite/suite-file.ts";
import { evalHtml } from "./html.ts";

const looksUp = (id: string, fields: Partial<SuiteCase> = {}): SuiteCase => ({
  id,
  title: `Looks up ${id}`,
  steps: [
    { id: "ask", kind: "prompt", prompt: "Order 17?" },
    { id: "called", kind: "assert", assertion: { type: "toolCalledAtLeastOnce", toolName: "get_order" } },
  ],
  ...fields,
});

/** A model that calls the tool, or does not. */
async function played(id: string, model: string, calls: boolean, cases: SuiteCase[]): Promise<SuiteRecord> {
  await using server = await startTinyServer("orders", { get_order: { run: () => said("shipped") } });
  return await runSuite({
    id,
    suite: {
      schemaVersion: "1",
      mode: "agentWorkflow",
      reportingMode: "standard",
      suite: { id: "s_1", name: "Orders" },
      target: { servers: [{ name: "orders" }] },
      defaults: { model, repetitions: 1, passThreshold: 1, validity: {} },
      cases,
    },
    cases,
    bindings: [server.binding],
    openModel: () => scriptedModel(calls ? [[call("get_order")], "Shipped."] : ["No idea."], { id: model }),
    signal: new AbortController().signal,
    now: 1_700_000_000_000,
  });
}

test("a matrix tells every case with every model, and leads to the case", async () => {
  const both = [looksUp("c_a"), looksUp("c_b")];
  const good = await played("er_1", "test/good", true, both);
  const bad = await played("er_2", "test/bad", false, [looksUp("c_a")]);
  const html = evalHtml([good, bad]);
  const table = /<table class="matrix">(.*?)<\/table>/s.exec(html)?.[1] ?? "";
  expect([...table.matchAll(/<th scope="(?:col|row)">([^<]*)/g)].map(([, text]) => text)).toEqual([
    ...["Case", "test/good", "test/bad"],
    ...["Looks up c_a", "Looks up c_b"],
  ]);
  const cells = [...table.matchAll(/<td class="(\w+)">(?:<a href="#([^"]+)">)?([^<]*)/g)];
  expect(cells.map(([, state, , text]) => [state, text])).toEqual([
    ["passed", "✓ 1/1"],
    ["failed", "✗ 0/1"],
    ["passed", "✓ 1/1"],
    ["dim", "not played"],
  ]);
  for (const [, , anchor] of cells) if (anchor !== undefined) expect(html).toContain(`id="${anchor}"`);
  // Two runs of one model are told apart.
  const again = evalHtml([good, await played("er_3", "test/good", true, both)]);
  expect(again).toContain('<th scope="col">test/good, er_1</th><th scope="col">test/good, er_3</th>');
});

test("each repetition has a timeline of what the model and the tools did", async () => {
  const html = evalHtml(await played("er_1", "test/good", true, [looksUp("c_a")]));
  const [, timeline = ""] = /<svg class="time"(.*?)<\/svg>/s.exec(html) ?? [];
  expect([...timeline.matchAll(/<rect class="(\w+)"/g)].map(([, kind]) => kind)).toEqual([
    "llm",
    "tool",
    "llm",
  ]);
  expect(timeline).toContain('aria-label="Timeline: 3 steps in ');
  expect(timeline).toMatch(/<text [^>]*>get_order · /);
});

test("the difference to an earlier run says which cases changed, and by how much the numbers did", async () => {
  const before = await played("er_1", "test/good", true, [looksUp("c_a"), looksUp("c_gone")]);
  const now = await played("er_2", "test/good", false, [looksUp("c_a"), looksUp("c_new")]);
  const html = evalHtml(now, [], { name: "monday.json", facts: before.facts });
  expect(html).toContain("Compared with monday.json");
  const rows = [...html.matchAll(/<tr><td class="\w+">(\w+)<\/td><th scope="row">([^<]*)/g)];
  expect(rows.map(([, change, title]) => [change, title])).toEqual([
    ["Regressed", "Looks up c_a"],
    ["New", "Looks up c_new"],
    ["Removed", "Looks up c_gone"],
  ]);
  expect(html).toMatch(
    /Pass rate<\/th><td class="number">100 %<\/td><td class="number">0 %<\/td><td class="number">−100 %/,
  );
  const same = evalHtml(before, [], { name: "itself.json", facts: before.facts });
  expect(same).toContain("No case changed.");
  expect(evalHtml(before)).not.toContain("Compared with");
});
