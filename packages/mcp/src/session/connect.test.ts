import { startBookshop, startEverything, startLegacySse, startStateless } from "@fettle/samples";
import { expect, test } from "vitest";
import { isMcpError } from "../failure.ts";
import { hostedPolicy } from "../guard/policy.ts";
import { loadHost } from "../hosts/host.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { parseTarget } from "../target.ts";
import { everythingOverStdio, startPublicEverything } from "../testing/everything-server.ts";
import { processMark } from "../testing/processes.ts";
import { connect } from "./connect.ts";
import type { Connection } from "./connection.ts";

const sample = (name: string) =>
  parseTarget({
    command: process.execPath,
    args: [`${import.meta.dirname}/../../../samples/src/${name}/main.ts`, "--stdio"],
  });

/** Some value of the right type for each field a form asks for. */
function filledIn(params: JsonObject): JsonObject {
  const schema = params.requestedSchema as { properties: Record<string, { type: string }> };
  const fields = Object.entries(schema.properties);
  return Object.fromEntries(
    fields.map(([name, { type }]) => [name, type === "boolean" ? true : type === "string" ? "ada" : 1]),
  );
}

async function tour(connection: Connection): Promise<void> {
  const tools = await connection.listTools();
  expect(tools.items.length).toBeGreaterThan(0);
  expect(tools.problems).toEqual([]);
  expect(tools.truncated).toBe(false);
  await connection.ping();
  expect(connection.serverInfo?.name).toBeTypeOf("string");
  expect(connection.problems).toEqual([]);
}

test("the public everything server over stdio, falling back to the handshake in the same process", async () => {
  const mark = processMark();
  const target = parseTarget({ ...everythingOverStdio, env: mark.env });
  const connection = await connect(target);
  expect(connection).toMatchObject({ era: "stateful", protocolVersion: "2025-11-25", transport: "stdio" });
  await tour(connection);
  expect(mark.left()).toHaveLength(1);
  expect(await connection.callTool("echo", { message: "hi" })).toMatchObject({
    content: [{ text: "Echo: hi" }],
  });
  const resources = await connection.listResources();
  expect(resources.items.length).toBeGreaterThan(0);
  expect((await connection.readResource(resources.items[0]!.uri)).contents).toBeInstanceOf(Array);
  expect((await connection.listResourceTemplates()).items.length).toBeGreaterThan(0);
  const prompts = await connection.listPrompts();
  expect((await connection.getPrompt(prompts.items[0]!.name)).messages).toBeInstanceOf(Array);
  await connection.setLevel("info");
  await connection.close();
  expect(mark.left()).toEqual([]);
});

test("the public everything server over Streamable HTTP, with a session that is ended at close", async () => {
  await using server = await startPublicEverything("streamableHttp");
  const connection = await connect(parseTarget({ url: server.url }));
  expect(connection).toMatchObject({ era: "stateful", transport: "streamable-http" });
  await tour(connection);
  await connection.close();
  const methods = connection.recorder
    .read()
    .entries.flatMap((entry) => (entry.kind === "http" ? [entry] : []));
  expect(methods.at(-1)).toMatchObject({ method: "DELETE", status: 200 });
});

test("the public everything server over the old SSE transport, found without being told", async () => {
  await using server = await startPublicEverything("sse");
  const connection = await connect(parseTarget({ url: server.url }));
  expect(connection).toMatchObject({ era: "stateful", transport: "sse" });
  await tour(connection);
  await connection.close();
});

test("the official SDK's server speaks the stateless revision over stdio and HTTP", async () => {
  await using overStdio = await connect(sample("bookshop"));
  expect(overStdio).toMatchObject({ era: "stateless", protocolVersion: "2026-07-28", transport: "stdio" });
  await tour(overStdio);

  const shop = await startBookshop();
  await using overHttp = await connect(parseTarget({ url: shop.url }));
  expect(overHttp).toMatchObject({ era: "stateless", transport: "streamable-http" });
  await tour(overHttp);
  expect(overHttp.instructions).toContain("bookshop");
  await overHttp.close();
  await shop.close();
});

test.each(["2025-03-26", "2025-06-18", "2025-11-25"])("a pin of %s is kept", async (protocolVersion) => {
  const shop = await startBookshop();
  await using connection = await connect(parseTarget({ url: shop.url }), { protocolVersion });
  expect(connection).toMatchObject({ era: "stateful", protocolVersion });
  await tour(connection);
  await connection.close();
  await shop.close();
});

test("servers of a single era are met in their era", async () => {
  const modern = await startStateless();
  await using stateless = await connect(parseTarget({ url: modern.url }));
  expect(stateless.era).toBe("stateless");
  const refused = await connect(parseTarget({ url: modern.url }), { protocolVersion: "2025-11-25" }).catch(
    (error: unknown) => error,
  );
  expect(isMcpError(refused)).toBe(true);
  await stateless.close();
  await modern.close();

  const legacy = await startLegacySse();
  await using sse = await connect(parseTarget({ url: legacy.url }));
  expect(sse).toMatchObject({ era: "stateful", transport: "sse" });
  const pinned = await connect(parseTarget({ url: legacy.url }), { protocolVersion: "2026-07-28" }).catch(
    (error: unknown) => error,
  );
  expect(isMcpError(pinned, "VERSION_MISMATCH")).toBe(true);
  await sse.close();
  await legacy.close();
});

test("a hosted service starts no process", async () => {
  await expect(connect(parseTarget({ command: "node" }), { policy: hostedPolicy })).rejects.toMatchObject({
    code: "BAD_TARGET",
  });
});

test("an unknown version is refused before anything is contacted", async () => {
  const target = parseTarget({ url: "http://127.0.0.1:9/" });
  await expect(connect(target, { protocolVersion: "2030-01-01" })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
});

test("progress is heard and restarts the idle clock, the total stands", async () => {
  await using connection = await connect(parseTarget(everythingOverStdio));
  const seen: number[] = [];
  const call = (totalMs: number) =>
    connection.callTool(
      "trigger-long-running-operation",
      { duration: 1, steps: 5 },
      { onProgress: ({ progress }) => seen.push(progress), timeouts: { idleMs: 600, totalMs } },
    );
  expect((await call(10_000)).content).toBeInstanceOf(Array);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  await expect(call(500)).rejects.toMatchObject({ code: "TIMEOUT", details: { phase: "total" } });
  // The failed call did not harm the connection.
  expect(await connection.callTool("echo", { message: "still" })).toMatchObject({
    content: [{ type: "text" }],
  });
});

test("a cancelled call ends at once and the connection goes on", async () => {
  await using connection = await connect(parseTarget(everythingOverStdio));
  const stop = new AbortController();
  const call = connection.callTool(
    "trigger-long-running-operation",
    { duration: 60, steps: 600 },
    { signal: stop.signal, onProgress: () => stop.abort() },
  );
  await expect(call).rejects.toMatchObject({ code: "ABORTED" });
  await connection.ping();
});

test("server requests are answered by handlers, in both eras", async () => {
  const server = await startEverything();
  const handlers = {
    sampling: async () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "test" }),
    elicitation: async () => ({ action: "accept", content: { username: "ada", email: "ada@example.com" } }),
    roots: async () => ({ roots: [{ uri: "file:///work", name: "work" }] }),
  };
  for (const protocolVersion of ["2025-11-25", "2026-07-28"]) {
    await using connection = await connect(parseTarget({ url: server.url }), { handlers, protocolVersion });
    const tool = protocolVersion === "2026-07-28" ? "test_input_required_result_sampling" : "test_sampling";
    const sampled = await connection.callTool(tool, { prompt: "capital of France?" });
    expect(JSON.stringify(sampled.content)).toContain("Paris");
    expect(connection.refusals).toEqual([]);
    await connection.close();
  }
  await server.close();
});

test("server requests without a handler are refused in words", async () => {
  const server = await startEverything();
  const url = parseTarget({ url: server.url });
  await using stateful = await connect(url, {
    protocolVersion: "2025-11-25",
    capabilities: { sampling: {}, elicitation: {} },
  });
  await stateful.listen();
  const result = await stateful
    .callTool("test_sampling", { prompt: "hello" })
    .catch((error: unknown) => error);
  expect(stateful.refusals).toMatchObject([{ method: "sampling/createMessage", reason: "no-handler" }]);
  expect(result).toBeTruthy();
  await using stateless = await connect(url, {
    protocolVersion: "2026-07-28",
    capabilities: { sampling: {} },
  });
  await expect(stateless.callTool("test_input_required_result_sampling", {})).rejects.toMatchObject({
    code: "INPUT_REQUIRED",
    details: { inputRequests: { capital_question: { method: "sampling/createMessage" } } },
  });
  const raw = await stateless.callTool("test_input_required_result_sampling", {}, { inputRounds: 0 });
  expect(raw.resultType).toBe("input_required");
  await stateful.close();
  await stateless.close();
  await server.close();
});

test("state travels back untouched over several rounds", async () => {
  const server = await startEverything();
  await using connection = await connect(parseTarget({ url: server.url }), {
    handlers: { elicitation: async (params) => ({ action: "accept", content: filledIn(params) }) },
    protocolVersion: "2026-07-28",
  });
  for (const tool of ["test_input_required_result_request_state", "test_input_required_result_multi_round"]) {
    const result = await connection.callTool(tool, {});
    expect(result.resultType ?? "complete").toBe("complete");
  }
  await connection.close();
  await server.close();
});

test("connecting as a host sends what that host sends, and hides app-only tools", async () => {
  const server = await startBookshop();
  const host = await loadHost("claude");
  await using connection = await connect(parseTarget({ url: server.url }), { host });
  const walk = await connection.listTools();
  expect(walk.toolsDroppedVisibility).toBeTypeOf("number");
  const sent = JSON.stringify(connection.recorder.read().entries);
  expect(sent).toContain('"claude-ai"');
  await connection.close();
  const goose = await connect(parseTarget({ url: server.url }), { host: await loadHost("goose") });
  expect(goose).toMatchObject({ era: "stateful", protocolVersion: "2025-03-26" });
  await goose.close();
  await server.close();
});

test("an unknown host is refused with the names there are", async () => {
  await expect(loadHost("nobody")).rejects.toMatchObject({
    code: "BAD_OPTION",
    hint: expect.stringContaining("claude"),
  });
});
