/** @module A process that leaves one question unanswered is judged by all the others; one that dies is not judged at all. */
import { parseTarget } from "@fettle/mcp";
import { expect, test } from "vitest";
import { runProtocol } from "../run-protocol.ts";

/** A small good server; `bend` may answer a request in its own way, or say nothing. */
function serverThat(bend: string, onNotification = "") {
  const script = `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const results = {
      initialize: () => ({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" } }),
      ping: () => ({}),
      "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    };
    let asked = 0;
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) {
        if (method === "notifications/fettle-no-such-notification") { ${onNotification} }
        return;
      }
      asked += 1;
      const result = results[method]?.();
      const honest = result
        ? { id, result }
        : { id, error: method === "tools/call" ? { code: -32602, message: "No such tool" } : { code: -32601, message: "No such method" } };
      ${bend}
      say(honest);
    }).on("close", () => process.exit());`;
  return parseTarget({ command: process.execPath, args: ["-e", script] });
}

async function judge(bend: string, onNotification?: string) {
  const report = await runProtocol(serverThat(bend, onNotification), {
    protocolVersion: "2025-11-25",
    checkTimeoutMs: 12_000,
  });
  const undecided = report.checks.filter(({ skipReason }) => skipReason === "could-not-run");
  return {
    report,
    undecided: undecided.map(({ id, error }) => [id, error?.message]),
    failed: report.checks.flatMap(({ id, status, error }) =>
      status === "failed" ? [[id, error?.message]] : [],
    ),
  };
}

/** Nine seconds, less what it waited for its turn. */
const silent = (method: string) =>
  expect.stringMatching(new RegExp(`^${method} was not answered within (9000|[4-8][05]00) ms\\.$`));

test("a silent ping is named, and is all that could not run", async () => {
  const { undecided, failed } = await judge(`if (method === "ping") return;`);
  expect(failed).toEqual([]);
  expect(undecided).toEqual([["ping", silent("ping")]]);
});

test("a silent ping of a process that takes its time to start is named, too", async () => {
  const { undecided } = await judge(`
    if (method === "ping") return;
    if (method === "initialize") return setTimeout(say, 3_500, honest);`);
  expect(undecided).toEqual([["ping", silent("ping")]]);
});

test("unknown methods that are ignored are named, and hold up nothing else", async () => {
  const { undecided, failed } = await judge(`if (!result && method !== "tools/call") return;`);
  expect(failed).toEqual([]);
  expect(undecided).toEqual([["protocol-invalid-method-error", silent("fettle/no-such-method")]]);
});

test.each([
  ["another id", "{ ...honest, id: 1000 + id }", /An answer came for id 1\d\d\d, which was never asked/],
  ["no id", "{ ...honest, id: null }", /An answer came with the id null/],
])("answers under %s are told as such", async (_, answer, told) => {
  const { report, failed } = await judge(`if (method !== "initialize") return say(${answer});`);
  expect(failed.map(([id]) => id)).toContain("error-id-echo");
  expect(report.checks.find(({ id }) => id === "error-id-echo")?.error?.message).toMatch(told);
});

test("a process that dies half-way is incomplete, and has no score", async () => {
  const { report, failed } = await judge("if (asked > 3) process.exit(3);");
  expect(failed).toEqual([]);
  expect(report).toMatchObject({ outcome: "incomplete", score: { score: null } });
  expect(report.incompleteReason).toMatch(/stopped answering during the run: .*exit/s);
});

test.each([
  ["an error", `say({ id: null, error: { code: -32601, message: "No such method" } });`],
  ["an error without an id", `say({ error: { code: -32601, message: "No such method" } });`],
  ["a result", "say({ id: null, result: {} });"],
])("a notification that is answered with %s is told", async (_, answer) => {
  const { failed } = await judge("", answer);
  expect(failed.map(([id]) => id)).toEqual(["notification-unanswered"]);
});

test("a start that is answered late is not taken for the answer to a notification", async () => {
  const { failed } = await judge(
    `if (method === "initialize" && id === "fettle-first") {
      globalThis.late = honest;
      return say({ method: "notifications/message", params: { level: "info", data: "Starting" } });
    }`,
    "if (globalThis.late) say(globalThis.late);",
  );
  expect(failed).toEqual([]);
});

/** A stateless server whose call goes on for a while; `onCancel` is what it does when told to stop. */
function slowServer(onCancel: string) {
  const script = `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const results = {
      "server/discover": { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ttlMs: 0, cacheScope: "private" },
      "tools/list": { resultType: "complete", tools: [{ name: "test_tool_with_progress", inputSchema: { type: "object" } }], ttlMs: 0, cacheScope: "private" },
    };
    const running = new Map();
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "notifications/cancelled") { ${onCancel} return; }
      if (id === undefined) return;
      if (method !== "tools/call" || params.name !== "test_tool_with_progress") {
        const result = results[method];
        return say(result ? { id, result } : { id, error: { code: -32601, message: "No" } });
      }
      const progressToken = params._meta.progressToken;
      const tell = (progress) => progressToken && say({ method: "notifications/progress", params: { progressToken, progress } });
      tell(1);
      running.set(id, [
        setTimeout(() => tell(2), 150),
        setTimeout(() => say({ id, result: { resultType: "complete", content: [] } }), 250),
      ]);
    }).on("close", () => process.exit());`;
  return parseTarget({ command: process.execPath, args: ["-e", script] });
}

test.each([
  ["goes on", "", "failed"],
  ["answers all the same", "clearTimeout(running.get(params.requestId)?.[0]);", "failed"],
  ["stops", "for (const timer of running.get(params.requestId) ?? []) clearTimeout(timer);", "passed"],
])("a server that %s when its call is cancelled is judged", async (_, onCancel, status) => {
  const { checks } = await runProtocol(slowServer(onCancel), {
    protocolVersion: "2026-07-28",
    checkIds: ["cancelled-silent"],
    officialFixtures: true,
  });
  expect(checks).toMatchObject([{ id: "cancelled-silent", status }]);
});
