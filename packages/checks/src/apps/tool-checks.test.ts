/** @module What tools say about their widgets, judged from what was seen. */
import { expect, test } from "vitest";
import type { AppsObserved, SeenDocument } from "./observe-apps.ts";
import { toolChecks } from "./tool-checks.ts";

const facts = { version: "2026-07-28", requireUi: false };
const show = {
  name: "show",
  inputSchema: { type: "object" },
  _meta: { ui: { resourceUri: "ui://shop/a.html" } },
};
const refresh = { name: "refresh", inputSchema: { type: "object" }, _meta: { ui: { visibility: ["app"] } } };

function reachable(tools: AppsObserved["tools"], answer: SeenDocument["answer"]) {
  const check = toolChecks.find(({ id }) => id === "ui-app-only-tools-reachable");
  const uri = "ui://shop/a.html";
  const documents: SeenDocument[] = [{ uri, dialects: ["mcp"], named: true, listed: true, answer }];
  return check?.judge({ tools, resources: { unadvertised: true }, documents, boots: [] }, facts);
}

test.each<[string, SeenDocument["answer"], string]>([
  ["mentioned", { contents: [{ text: "callTool('refresh')" }] }, "passed"],
  ["mentioned in a blob", { contents: [{ blob: btoa("callTool('refresh')") }] }, "passed"],
  ["mentioned beside what is no content", { contents: [null, "x", { text: "refresh" }] }, "passed"],
  ["mentioned in what is no content alone", { contents: ["refresh"] }, "failed"],
  ["looked for in what is no list", { contents: "refresh" }, "failed"],
  ["looked for in a content without a source", { contents: [{ uri: "ui://shop/a.html" }] }, "failed"],
  ["looked for where nothing could be read", { refused: "no" }, "could-not-run"],
])("a tool for widgets alone is %s", (_, answer, is) => {
  expect(reachable({ items: [show, refresh], truncated: false }, answer)).toMatchObject({ is });
});

test.each<[string, AppsObserved["tools"], string]>([
  ["No tool is for widgets alone.", { items: [show], truncated: false }, "not-applicable"],
  ["tools/list was refused: no", { refused: "no" }, "could-not-run"],
])("%s", (why, tools, is) => {
  expect(reachable(tools, { contents: [] })).toEqual({ is, why });
});
