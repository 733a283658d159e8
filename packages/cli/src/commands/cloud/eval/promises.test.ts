/** @module Sentences of the `cloud eval` commands that no other file here holds: files, keys, live checks, validation, pull-request checks. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CodeHostStub, startCodeHost } from "@fettle/service/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { ask, calls, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";

let service: CloudService;
let host: CodeHostStub;
let endless: Awaited<ReturnType<typeof startEndlessList>>;
beforeAll(async () => {
  host = await startCodeHost();
  service = await startCloudService(host.env);
  endless = await startEndlessList();
});
afterAll(async () => {
  await service?.stop();
  await host?.[Symbol.asyncDispose]();
  await endless?.close();
});

/** Its list of tools has one more page, whichever is asked for. */
async function startEndlessList() {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const page = Number(params?.cursor ?? 0);
    const result =
      method === "initialize"
        ? {
            protocolVersion: "2025-11-25",
            capabilities: { tools: {} },
            serverInfo: { name: "endless", version: "1" },
          }
        : {
            tools: [{ name: `tool_${page}`, inputSchema: { type: "object" } }],
            nextCursor: String(page + 1),
          };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}

const evals = (...argv: string[]) => service.cloud(["eval", ...argv]);
const runFile = (stdin: string, argv: string[] = [], env: Record<string, string> = {}) =>
  service.cloud(["eval", "run", "--file", "-", ...argv], { stdin, env });
const posted = async (path: string, asked: object): Promise<string> => {
  const { status, body } = await service.api(path, asked);
  expect([status, body.code]).toEqual([201, undefined]);
  return body.id;
};
const suites = async () => JSON.stringify((await evals("list")).body);

describe("a file", () => {
  test("is JSON as well as YAML", async () => {
    const json = {
      schemaVersion: "1",
      mode: "agentWorkflow",
      reportingMode: "standard",
      suite: { id: "s_json", name: "As JSON" },
      target: { servers: [{ name: "Bookshop" }] },
      defaults: { model: "fettle/rules-1", repetitions: 1, passThreshold: 1, validity: {} },
      cases: [{ id: "c", title: "One", steps: [{ id: "p", kind: "prompt", prompt: "Use list_orders" }] }],
    };
    expect((await runFile(JSON.stringify(json), ["--wait"])).exitCode).toBe(0);
  });

  test("is looked at once it is known who asks: a key of nobody's is told before what is wrong with the file", async () => {
    const wrong = "schemaVersion: '1'\n";
    const unknown = { FETTLE_API_KEY: `sk_${"x".repeat(43)}` };
    expect((await runFile(wrong, [], unknown)).body.code).toBe("UNAUTHORIZED");
    expect((await runFile(wrong, ["--wait"], unknown)).exitCode).toBe(3);
    expect((await runFile(wrong, ["--wait"])).exitCode).toBe(2);
  });

  test("validated, the same failure exits 1, and 1,048,576 bytes are the most", async () => {
    const validate = (stdin: string) =>
      service.cloud(["eval", "validate", "--file", "-", "--format", "json"], { stdin });
    const wrong = await validate("schemaVersion: '1'\n");
    expect([wrong.exitCode, wrong.body.valid, wrong.body.findings.length > 0]).toEqual([1, false, true]);
    const file = suiteOf({ id: "s_large" });
    const filled = (bytes: number) => `${file}#${"x".repeat(bytes - file.length - 2)}\n`;
    expect((await validate(filled(1_048_576))).exitCode).toBe(0);
    const over = await validate(filled(1_048_577));
    expect([over.exitCode, over.stdout + over.stderr]).toEqual([1, expect.stringContaining("1048576")]);
    expect((await runFile(filled(1_048_577))).exitCode).toBe(2);
  });
});

describe("--case", () => {
  const both = suiteOf({
    id: "s_cases",
    cases: [oneCase("on"), oneCase("off", ask("list_orders"), ", disabled: true")],
  });
  test("names an enabled case, by its id or by the id of its row", async () => {
    await runFile(both, ["--wait"]);
    const off = await runFile(both, ["--case", "off"]);
    expect([off.exitCode, off.body.code]).toEqual([2, "CASE_DISABLED"]);
    const { items } = (await evals("cases", "list", "--suite", "s_cases")).body;
    const row = items.find(({ declaredId }: { declaredId: string }) => declaredId === "on").id;
    const byRow = await runFile(both, ["--case", row, "--wait"]);
    expect([byRow.exitCode, byRow.body.runs[0].progress.total]).toEqual([0, 1]);
  });

  test("by a row's id may mean any case, so the calls of all of them are looked up", async () => {
    const cases = [oneCase("good"), oneCase("calls", calls("list_orders"))];
    await runFile(suiteOf({ id: "s_rows", cases }), ["--wait"]);
    const { items } = (await evals("cases", "list", "--suite", "s_rows")).body;
    const row = items.find(({ declaredId }: { declaredId: string }) => declaredId === "good").id;
    const broken = suiteOf({ id: "s_rows", cases: [oneCase("good"), oneCase("calls", calls("no_tool"))] });
    expect((await runFile(broken, ["--case", "good", "--wait"])).exitCode).toBe(0);
    const any = await runFile(broken, ["--case", row]);
    expect([any.exitCode, any.body.code]).toEqual([2, "IMPORT_REFERENCE_UNRESOLVED"]);
  });
});

describe("what a server offers cannot be told", () => {
  const asking = (name: string) =>
    suiteOf({
      id: "s_untold",
      target: `{ servers: [{ name: ${name} }] }`,
      cases: [oneCase("c", calls("tool_1", `serverName: ${name}`))],
    });
  test("where its list goes on after its last page", async () => {
    await posted("/servers", { name: "Endless", enabled: true, transportType: "http", url: endless.url });
    const { exitCode, body } = await runFile(asking("Endless"));
    expect([exitCode, body.code]).toEqual([2, "TOOL_DISCOVERY_UNAVAILABLE"]);
    expect(await suites()).not.toContain("s_untold");
  });

  test("where nobody answers: an error of its own, and nothing is written", async () => {
    await posted("/servers", {
      name: "Away",
      enabled: true,
      transportType: "http",
      url: "http://127.0.0.1:9/mcp",
    });
    const { exitCode, body } = await runFile(asking("Away"));
    expect([exitCode, body.code]).toEqual([1, "SERVER_UNREACHABLE"]);
    expect(await suites()).not.toContain("s_untold");
  });

  test("where a client has a server that the project no longer has", async () => {
    const url = endless.url;
    const id = await posted("/servers", { name: "Gone", enabled: true, transportType: "http", url });
    const serverIds = [service.service.serverId, id];
    await posted("/clients", { name: "Old desk", config: { modelId: "fettle/rules-1", serverIds } });
    await service.sql(`delete from servers where id = '${id}'`);
    const { exitCode, body } = await runFile(asking("Bookshop"), ["--host", "Old desk"]);
    expect([exitCode, body.code]).toEqual([2, "TOOL_DISCOVERY_UNAVAILABLE"]);
  });
});

test("the key of a launch is also of its target, its composition, and what was approved for which reason", async () => {
  const hostId = await posted("/clients", {
    name: "Desk",
    config: { modelId: "fettle/rules-1", serverIds: [service.service.serverId] },
  });
  await posted("/environments", { name: "Shop", hostId });
  const about = ", import: { status: approximated, note: n }";
  const file = suiteOf({
    id: "s_keys",
    target: "{ servers: [{ name: Bookshop }], environment: Shop }",
    cases: [oneCase("a", ask("list_orders"), about), oneCase("b", ask("list_orders"), about)],
  });
  const runOf = async (...argv: string[]) => {
    const { exitCode, body, stderr } = await runFile(file, [...argv, "--wait"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return body.launch.targets[0].runId as string;
  };
  const approved = (...cases: string[]) => [
    "--approval-reason",
    "seen",
    "--allow-approximated",
    ...(cases.length > 0 ? cases : ["a", "b"]),
  ];
  const first = await runOf(...approved());
  expect(await runOf(...approved("b", "a"))).toBe(first);
  expect(await runOf(...approved(), "--case", "b", "a")).toBe(await runOf(...approved(), "--case", "a", "b"));
  const runs = [
    first,
    await runOf("--allow-approximated", "a", "b", "--approval-reason", "seen again"),
    await runOf(...approved("a"), "--case", "a"),
    await runOf(...approved(), "--environment", "Shop"),
    await runOf(...approved(), "--all-targets"),
    await runOf(...approved(), "--compose-host", "Desk"),
    await runOf(...approved(), "--compose-host", "Desk", "--compose-model", "fettle/rules-1"),
  ];
  expect(new Set(runs).size).toBe(runs.length);
});

describe("pull-request checks", () => {
  test("are listed with what could be connected, connected once, and never without a policy for outages", async () => {
    await runFile(suiteOf({ id: "s_checked" }), ["--wait"]);
    const listed = await evals("checks", "list");
    expect([listed.exitCode, listed.body]).toMatchObject([
      0,
      { available: true, items: [], connectable: [{ repo: "Acme/shop" }] },
    ]);
    const connect = ["checks", "connect", "--suite", "s_checked", "--repo", "acme/shop"];
    expect((await evals(...connect)).exitCode).toBe(2);
    const made = await evals(...connect, "--outage-policy", "fail_closed");
    expect([made.exitCode, made.body]).toMatchObject([0, { repo: "Acme/shop", outagePolicy: "fail_closed" }]);
    const again = await evals(...connect, "--outage-policy", "fail_open");
    expect([again.exitCode, again.body.details.code]).toEqual([1, "REPO_CONNECTED"]);
    const human = await evals("checks", "list", "--format", "human");
    expect(human.stdout).toMatch(/Acme\/shop[\s\S]*fail_closed[\s\S]*on/);
    host.refuses = 500;
    const lost = await evals("checks", "list");
    host.refuses = undefined;
    expect([lost.exitCode, lost.body]).toMatchObject([
      0,
      { available: true, items: [{ repo: "Acme/shop" }], connectable: null },
    ]);
  });

  test("are not available where no code host is set up", async () => {
    const plain = await startCloudService();
    try {
      const listed = await plain.cloud(["eval", "checks", "list"]);
      expect([listed.exitCode, listed.body]).toMatchObject([0, { available: false }]);
    } finally {
      await plain.stop();
    }
  });
});
