/** @module `tools call --ui` against a real inspector: what is said when the result was shown, and when it was not. The page is played over the real stream. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { readServerSentEvents } from "@fettle/contract/formats";
import { inspectorHeader } from "@fettle/contract/inspector";
import { type RunningSample, startEverything } from "@fettle/samples";
import { type RunningInspector, startInspector } from "@fettle/service/inspector";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endInspectorAfterTest, execFettle } from "../../testing/process.ts";
import { temporaryFolder, testWorld } from "../../testing/world.ts";

let home: string;
let inspector: RunningInspector;
let everything: RunningSample;
let server: Awaited<ReturnType<typeof countingFront>>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "fettle-ui-"));
  everything = await startEverything();
  server = await countingFront(everything.url);
  inspector = await startInspector({ home, port: 0 });
});
afterAll(async () => {
  await inspector.stop();
  await server.close();
  await everything.close();
  rmSync(home, { recursive: true, force: true });
});

const argvOf = (...more: string[]) => [
  ...["tools", "call", "--url", server.url, "--tool-name", "test_simple_text", "--ui"],
  ...more,
];
const envOf = (folder: string) => ({ FETTLE_HOME: folder, FETTLE_CLI_DISABLE_BROWSER_OPEN: "1" });

/** Where the inspector runs, unless another home is named. */
async function callTool(
  flags: readonly string[] = [],
  more: { folder?: string; onStderr?(chunk: string): void } = {},
) {
  const { folder = home, ...options } = more;
  const { fettle } = await testWorld({ env: envOf(folder), ...options });
  const { stdout, stderr, exitCode } = await fettle(...argvOf(...flags));
  return { value: stdout === "" ? undefined : JSON.parse(stdout), stderr, exitCode };
}

/** The sample behind a counter of its calls; dead after the next call when told so. */
async function countingFront(url: string) {
  const counted = { calls: 0, diesAfterCall: false, isDead: false };
  const front = createServer(async (request, response) => {
    if (counted.isDead) return void response.destroy();
    const body = await buffer(request);
    const isCall = body.includes('"tools/call"');
    if (isCall) counted.calls += 1;
    const { method, headers } = request;
    const forwarded = httpRequest(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      response.once("close", () => answer.destroy());
    });
    forwarded.once("error", () => response.destroy()).end(body);
    if (isCall && counted.diesAfterCall) response.once("close", () => (counted.isDead = true));
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    counted,
    close: () => {
      front.closeAllConnections();
      return new Promise((resolve) => front.close(resolve));
    },
  };
}

type Obey = (type: string) => { phase: "done" | "failed"; result?: object; error?: object } | undefined;
const done: Obey = () => ({ phase: "done" });
const failing =
  (code: string): Obey =>
  (type) =>
    type === "renderToolResult" ? { phase: "failed", error: { code, message: "No." } } : { phase: "done" };

/** A page, as far as the inspector knows one. */
async function openPage(obey: Obey) {
  const { url, state } = inspector;
  const headers = { [inspectorHeader]: `Bearer ${state.token}`, "content-type": "application/json" };
  const left = new AbortController();
  const browserId = crypto.randomUUID();
  const stream = await fetch(`${url}/api/events?browser=${browserId}`, { headers, signal: left.signal });
  const say = (method: string, path: string, body: object) =>
    fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  const tell = (...tabs: object[]) => say("PUT", "/api/clients", { browserId, tabs });
  await tell({ clientId: browserId, visible: true, focusedAt: Date.now(), page: "/", ready: true });
  const given: { type: string; payload: Record<string, unknown> }[] = [];
  const events = readServerSentEvents(({ event, data }) => {
    if (event !== "command" || data === undefined) return;
    const { id, type, payload } = JSON.parse(data);
    given.push({ type, payload });
    const ack = obey(type);
    if (ack) void say("POST", `/api/mcp/command/${id}/ack`, { clientId: browserId, ...ack });
  });
  const text = new TextDecoder();
  const read = (async () => {
    for await (const chunk of stream.body!) events.push(text.decode(chunk, { stream: true }));
  })().catch(() => {});
  return {
    given,
    async [Symbol.asyncDispose]() {
      await tell();
      left.abort();
      await read;
    },
  };
}

describe("tools call --ui", () => {
  test.each([
    ["with a report", ["--reporter", "junit-xml", "--expect-success"]],
    ["with an address of a page that is none", ["--frontend-url", "javascript:alert(1)"]],
    ["opening, and attached only", ["--open", "--attach-only"]],
    ["opening, and not opening", ["--open", "--no-open"]],
    ["with an address of an inspector that is none", ["--inspector-url", "javascript:alert"]],
    ["in a language that is none", ["--locale", "no such language"]],
    ["in a time zone that is none", ["--time-zone", "Europe/Nowhere"]],
  ])("%s is a usage error, and calls nothing", async (_what, flags) => {
    const { exitCode, value } = await callTool(flags);
    expect({ exitCode, value, calls: server.counted.calls }).toEqual({
      exitCode: 2,
      value: undefined,
      calls: 0,
    });
  });

  test("attached only, without an inspector: a root error, and nothing is started", async () => {
    const folder = await temporaryFolder();
    const { value, exitCode } = await callTool(["--attach-only"], { folder });
    expect(exitCode).toBe(1);
    expect(value).toMatchObject({
      success: false,
      result: { content: [{ type: "text" }] },
      error: { code: "no_active_client", remediation: "open_browser" },
      inspectorRender: { status: "error", remediation: "open_browser", inspectorStarted: false },
    });
    expect(value).not.toHaveProperty("warning");
    expect(existsSync(join(folder, "inspector.json"))).toBe(false);
  });

  test("starts an inspector; without a page: skipped with a warning, and the tool's own exit code", async () => {
    const cwd = await temporaryFolder();
    endInspectorAfterTest(cwd);
    const fettle = (...argv: string[]) => execFettle(argv, { cwd, env: envOf(cwd) });
    const { stdout, stderr, exitCode } = await fettle(...argvOf("--timeout", "100000"));
    expect(exitCode, stderr).toBe(0);
    const value = JSON.parse(stdout);
    const stopped = await fettle("inspector", "stop");
    expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true });
    const warning = {
      code: "no_active_client",
      message: expect.any(String),
      remediation: "open_browser",
      browserUrl: expect.stringMatching(/#k=/),
      hasActiveClient: false,
      inspectorStarted: true,
    };
    expect(value).toEqual({
      success: true,
      command: "tools call",
      inspectorUi: true,
      inspectorBrowserUrl: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:.*\/tools\?tool=test_simple_text#k=/,
      ),
      target: server.url,
      toolName: "test_simple_text",
      parameterKeys: [],
      result: expect.objectContaining({ _durationMs: expect.any(Number) }),
      inspectorRender: {
        status: "skipped",
        remediation: "open_browser",
        mode: "active-client",
        urlHydratesRender: false,
        baseUrl: new URL(value.inspectorBrowserUrl).origin,
        browserUrl: value.inspectorBrowserUrl,
        hasActiveClient: false,
        inspectorStarted: true,
        // Not a terminal: no browser unless it was asked for.
        browserOpenRequested: false,
        commands: { openPlayground: { status: "error" } },
        warning,
      },
      warning,
    });
    expect(stderr).toContain(value.inspectorBrowserUrl);
  });

  test.each([
    ["a render that is required and skipped", ["--require-render"], "skipped"],
    ["attached only, without a page", ["--attach-only"], "error"],
  ])("%s is a root error", async (_what, flags, status) => {
    const { value, exitCode } = await callTool(flags);
    expect(exitCode).toBe(1);
    const error = { code: "no_active_client", remediation: "open_browser" };
    expect(value).toMatchObject({ success: false, error, inspectorRender: { status, error } });
  });

  test("an inspector that is named and does not answer is not replaced by another", async () => {
    const { value, exitCode } = await callTool(["--inspector-url", "http://127.0.0.1:9"]);
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({
      inspectorBrowserUrl: null,
      inspectorRender: { status: "skipped", inspectorStarted: false, warning: { code: "no_active_client" } },
    });
  });

  test("what answers and is no inspector is said to be none", async () => {
    const { value, exitCode } = await callTool(["--inspector-url", server.url]);
    expect(exitCode).toBe(1);
    expect(value).toMatchObject({
      result: { content: [{ type: "text" }] },
      error: { code: "execution_failed", message: expect.stringContaining("is no inspector") },
      inspectorRender: { status: "error", commands: {} },
    });
  });

  test("a widget that never begins is not rendered, and neither is one whose document is not to be had", async () => {
    const faults = {
      bridge_timeout: "timeout",
      mount_failed: "timeout",
      resource_read_failed: "unsupported_in_mode",
    };
    for (const [fault, code] of Object.entries(faults)) {
      const shown = { widget: "fallback", fault, reason: `Because of ${fault}.` };
      await using _page = await openPage((type) => ({
        phase: "done",
        ...(type === "renderToolResult" && { result: shown }),
      }));
      const { value, exitCode } = await callTool(["--require-render"]);
      expect(exitCode).toBe(1);
      const said = { code, message: `Because of ${fault}.` };
      expect(value).toMatchObject({
        error: said,
        inspectorRender: {
          status: "skipped",
          warning: said,
          commands: { renderToolResult: { status: "success" } },
        },
      });
    }
  });

  test("with a page: rendered, the tool was called once, and no file learns the way in", async () => {
    await using page = await openPage(done);
    const before = server.counted.calls;
    const written = join(home, "debug.json");
    const flags = ["--inspector-url", inspector.url, "--server-name", "Sample", "--debug-out", written];
    const { value, exitCode, stderr } = await callTool(flags);
    expect(exitCode, stderr).toBe(0);
    const inspectorRender = {
      status: "rendered",
      remediation: "none",
      hasActiveClient: true,
      inspectorStarted: false,
      urlHydratesRender: false,
      commands: {
        openPlayground: { status: "success" },
        renderToolResult: { status: "success" },
        snapshot: { status: "success" },
      },
    };
    expect(value).toMatchObject({ success: true, inspectorRender });
    expect(value).not.toHaveProperty("warning");
    const [rendered] = page.given.filter(({ type }) => type === "renderToolResult");
    expect(rendered!.payload).toMatchObject({ serverName: "Sample", toolName: "test_simple_text" });
    const { _durationMs, ...asItCame } = value.result;
    expect(rendered!.payload.result).toEqual(asItCame);
    expect(rendered!.payload.durationMs).toBe(_durationMs);
    expect(server.counted.calls - before).toBe(1);
    const artifact = readFileSync(written, "utf8");
    expect(JSON.parse(artifact).outcome.result).toMatchObject({ inspectorUi: true, inspectorRender });
    expect(artifact).not.toContain(new URL(value.inspectorBrowserUrl).hash.slice("#k=".length));
  });

  test("the widget's place is told before its result, as far as it was chosen", async () => {
    await using page = await openPage(done);
    const flags = ["--device", "mobile", "--theme", "dark", "--locale", "ja-JP", "--time-zone", "Asia/Tokyo"];
    const { value } = await callTool(["--inspector-url", inspector.url, ...flags]);
    expect(value.inspectorRender.commands.setAppContext).toEqual({ status: "success" });
    const told = page.given.filter(({ type }) => /setAppContext|renderToolResult/.test(type));
    expect(told.map(({ type }) => type)).toEqual(["setAppContext", "renderToolResult"]);
    const place = { deviceType: "mobile", theme: "dark", locale: "ja-JP", timeZone: "Asia/Tokyo" };
    expect(told[0]!.payload).toEqual(place);
  });

  test.each([
    ["unsupported_in_mode", "skipped", "none", 0],
    ["disconnected_server", "skipped", "reconnect_server", 0],
    ["unknown_tool", "error", "none", 1],
    ["execution_failed", "error", "none", 1],
  ])("a page that answers %s: %s", async (code, status, remediation, expected) => {
    await using _page = await openPage(failing(code));
    const { value, exitCode } = await callTool();
    expect(exitCode).toBe(expected);
    const said = { code, message: "No.", remediation };
    const shape = status === "skipped" ? { warning: said } : { error: said };
    expect(value).toMatchObject({
      success: expected === 0,
      ...shape,
      inspectorRender: { status, remediation, ...shape },
    });
  });

  test("a tool that reports an error fails the command, though its result is shown", async () => {
    await using _page = await openPage(done);
    const { value, exitCode } = await callTool(["--tool-name", "test_error_handling"]);
    expect(exitCode).toBe(1);
    expect(value).toMatchObject({
      success: false,
      result: { isError: true },
      inspectorRender: { status: "rendered" },
    });
  });

  test("a page that does not take it: skipped as a time-out", async () => {
    await using _page = await openPage(() => undefined);
    const { value, exitCode } = await callTool();
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({
      inspectorRender: { status: "skipped", remediation: "retry", warning: { code: "timeout" } },
    });
  });

  test("--open says where and waits for the page; quietly it only waits", async () => {
    const opened: ReturnType<typeof openPage>[] = [];
    const onStderr = (chunk: string) => void (chunk.includes("Waiting") && opened.push(openPage(done)));
    const loud = await callTool(["--open"], { onStderr });
    expect(loud.stderr).toMatch(/Opening http:\/\/127\.0\.0\.1:\S+#k=/);
    expect(loud.value.inspectorRender).toMatchObject({ status: "rendered", browserOpenRequested: true });
    // With a page open already, no second one is opened.
    const again = await callTool(["--open"]);
    expect(again.stderr).toBe("");
    expect(again.value.inspectorRender).toMatchObject({ status: "rendered", browserOpenRequested: false });
    for (const page of await Promise.all(opened)) await page[Symbol.asyncDispose]();
    const elsewhere = "https://pages.example/inspector";
    const quiet = callTool(["--open", "--quiet", "--frontend-url", elsewhere, "--server-name", "Quiet"]);
    await using _page = await openPage(done);
    expect(await quiet).toMatchObject({
      stderr: "",
      value: {
        inspectorBrowserUrl: elsewhere,
        inspectorFrontendUrl: elsewhere,
        inspectorRender: { status: "rendered" },
      },
    });
  });

  test("a server that died after the call: skipped as disconnected", async () => {
    await using _page = await openPage(done);
    server.counted.diesAfterCall = true;
    const { value, exitCode } = await callTool(["--server-name", "Dying"]);
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({
      success: true,
      inspectorRender: {
        status: "skipped",
        remediation: "reconnect_server",
        warning: { code: "disconnected_server" },
      },
    });
  });
});
