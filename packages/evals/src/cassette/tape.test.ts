import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../agent/agent.ts";
import { openServers } from "../agent/servers.ts";
import { call, scriptedModel } from "../agent/testing/scripted-model.ts";
import { said, startTinyServer, type TinyServer } from "../agent/testing/tiny-server.ts";
import { finalTextOf, type Trace } from "../agent/trace.ts";
import { readModelConfiguration } from "../models/configuration.ts";
import type { Model } from "../models/model.ts";
import { createModelSource } from "../models/model-source.ts";
import { ruleModel } from "../models/rules/rule-model.ts";
import { startModelServer, testKey } from "../models/testing/model-server.ts";
import { cassettePath, readCassette } from "./cassette-file.ts";
import { openTape, type TapeOptions } from "./tape.ts";

const facts: Omit<TapeOptions, "mode"> = {
  suiteId: "s_1",
  caseKey: "c_1",
  scenarioContentHash: "0".repeat(64),
  fettleVersion: "0.1.0",
  recordedAt: Date.parse("2026-11-16T12:00:00Z"),
};

async function tiny(answer = "3"): Promise<TinyServer> {
  const server = await startTinyServer("tiny", {
    add: { description: "Adds two numbers", run: () => said(answer) },
  });
  onTestFinished(() => server.kill().catch(() => {}));
  return server;
}

async function play(
  server: TinyServer,
  model: Model,
  prompt = "Add 1 and 2.",
  system = "Be brief.",
): Promise<Trace> {
  const servers = await openServers([server.binding]);
  const agent = createAgent({ model, servers: servers.links, system, parameters: { temperature: 0 } });
  await agent.prompt(prompt);
  await servers.close();
  return agent.trace;
}

/** Two repetitions in which the model words its answer differently. */
async function recordTwo(server: TinyServer, order = [1, 2]): Promise<string> {
  const tape = openTape({ ...facts, mode: "record" });
  for (const iteration of order) {
    const live = scriptedModel([[call("add", { a: iteration }, `id_${iteration}`)], `answer ${iteration}`]);
    await play(server, tape.model(live, iteration));
  }
  return tape.text()!;
}

const replay = (recorded: string, more: Partial<TapeOptions> = {}) =>
  openTape({ ...facts, mode: "replay", recorded, ...more });

const comparable = ({ messages, turns, toolCalls, cassette }: Trace) =>
  JSON.stringify({
    messages,
    cassette,
    stops: turns.map(({ stop, usage }) => ({ stop, usage })),
    calls: toolCalls.map(({ toolCallId, toolName, arguments: args, result }) => ({
      toolCallId,
      toolName,
      args,
      result,
    })),
  });

test("a real wire recorded once plays back without it, and no key gets into the file", async () => {
  const server = await tiny();
  const provider = await startModelServer(
    { kind: "answer", calls: [{ id: "c1", name: "add", args: '{"a": 1}' }] },
    { kind: "answer", text: "Three." },
  );
  const section = { providers: { custom: { it: { baseUrl: `${provider.origin}/v1`, apiKey: testKey } } } };
  const source = createModelSource(readModelConfiguration(section, {}));
  const tape = openTape({ ...facts, mode: "record", secrets: { IT_KEY: testKey } });
  const live = await play(server, tape.model(source.open("custom:it:stub"), 1), `My key is ${testKey}.`);
  const text = tape.text()!;
  await provider.kill();
  source.close();
  expect(text).not.toContain(testKey);
  expect(text).toContain("[secret:IT_KEY]");
  const played = await play(server, replay(text).model(undefined, 1), "My key is [secret:IT_KEY].");
  expect(played).toMatchObject({
    model: { id: "custom:it:stub", modelClass: "replay", deterministic: true },
    cassette: { mode: "replay", hits: 2, loose: 0, misses: 0, stale: 0 },
    exclusion: null,
  });
  expect(finalTextOf(played.messages)).toBe(finalTextOf(live.messages));
});

test("the order of recording does not change the file, and the order of playing does not change what is played", async () => {
  const server = await tiny();
  const normal = await recordTwo(server);
  const reversed = await recordTwo(server, [2, 1]);
  // Latency is the one thing that differs from recording to recording.
  const still = (text: string) => text.replace(/"latencyMs":\d+/g, "").replace(/"sha256":"\w+"/, "");
  expect(still(reversed)).toBe(still(normal));
  const bytes: Record<number, string[]> = { 1: [], 2: [], 3: [] };
  for (const order of [
    [1, 2, 3],
    [3, 2, 1],
    [2, 3, 1],
  ]) {
    const tape = replay(normal);
    const runs = order.map(async (iteration) => {
      bytes[iteration]!.push(comparable(await play(server, tape.model(undefined, iteration))));
    });
    await Promise.all(runs);
  }
  for (const runs of Object.values(bytes)) expect(new Set(runs).size).toBe(1);
  expect(bytes[1]![0]).toContain("answer 1");
  expect(bytes[2]![0]).toContain("answer 2");
  expect(replay(normal).model(undefined, 1)).toMatchObject({ deterministic: false, recordings: 2 });
  // There are two recorded repetitions; a third begins again.
  expect(bytes[3]![0]).toBe(bytes[1]![0]);
});

test("another process plays the same bytes", async () => {
  const server = await tiny();
  const path = join(tmpdir(), `fettle-tape-${process.pid}.mjs`);
  onTestFinished(() => rm(path, { force: true }));
  const source = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  await writeFile(
    path,
    `import { openTape } from ${source("tape.ts")};
     import { createAgent } from ${source("../agent/agent.ts")};
     import { openServers } from ${source("../agent/servers.ts")};
     const { tape: options, binding } = JSON.parse(process.argv[2]);
     await using servers = await openServers([binding]);
     const model = openTape(options).model(undefined, 1);
     const agent = createAgent({ model, servers: servers.links, system: "Be brief.", parameters: { temperature: 0 } });
     await agent.prompt("Add 1 and 2.");
     console.log(JSON.stringify(agent.trace.messages));`,
  );
  const tape = { ...facts, mode: "replay", recorded: await recordTwo(server) } as const;
  const here = await play(server, openTape(tape).model(undefined, 1));
  // Not the synchronous way: the server that it calls lives in this process.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path, JSON.stringify({ tape, binding: server.binding })],
    { env: { ...process.env, TZ: "Pacific/Auckland", LANG: "tr_TR.UTF-8" } },
  );
  expect(stdout.trim()).toBe(JSON.stringify(here.messages));
});

const changes: [what: string, change: (server: TinyServer) => void, system: string, reason: string][] = [
  [
    "a description",
    (server) => {
      server.tools.add!.description = "Adds 2 numbers";
    },
    "Be brief.",
    "the tool add changed",
  ],
  [
    "a schema",
    (server) => {
      server.tools.add!.inputSchema = { type: "object", properties: { a: {} } };
    },
    "Be brief.",
    "the tool add changed",
  ],
  [
    "one tool more",
    (server) => {
      server.tools.mul = { run: () => said("") };
    },
    "Be brief.",
    "the tool mul is new",
  ],
  [
    "a tool less",
    (server) => {
      delete server.tools.add;
    },
    "Be brief.",
    "the tool add is gone",
  ],
  ["the system prompt", () => {}, "Be long.", "the system prompt changed"],
];

test.each(changes)(
  "%s changed: the recording is stale, and that is neither pass nor failure",
  async (_, change, system, reason) => {
    const server = await tiny();
    const recorded = await recordTwo(server);
    change(server);
    const trace = await play(server, replay(recorded).model(undefined, 1), "Add 1 and 2.", system);
    expect(trace).toMatchObject({
      exclusion: "setupFailed",
      turns: [{ stop: "cassette_stale" }],
      faults: [{ code: "CASSETTE_STALE", owner: "ours", message: expect.stringContaining(reason) }],
      cassette: { stale: 1, hits: 0 },
      toolCalls: [],
    });
    const accepted = await play(
      server,
      replay(recorded, { acceptStale: true }).model(undefined, 1),
      "Add 1 and 2.",
      system,
    );
    expect(accepted.cassette).toMatchObject({ staleAccepted: true });
  },
);

test("a recording of another model is stale", async () => {
  const server = await tiny();
  const recorded = await recordTwo(server);
  const trace = await play(server, replay(recorded, { model: "openai/gpt-5" }).model(undefined, 1));
  expect(trace.faults[0]?.message).toContain("recorded with test/scripted");
  expect(trace.exclusion).toBe("setupFailed");
});

test("a tool that answers something else is played on and flagged; strictly it is a miss", async () => {
  const server = await tiny();
  const recorded = await recordTwo(server);
  const other = await tiny("4");
  const trace = await play(other, replay(recorded).model(undefined, 1));
  expect(trace.cassette).toMatchObject({ hits: 1, loose: 1, divergedAt: 2 });
  expect(trace.exclusion).toBeNull();
  const strict = await play(other, replay(recorded, { strict: true }).model(undefined, 1));
  expect(strict).toMatchObject({ exclusion: "setupFailed", turns: [{ stop: "cassette_miss" }] });
});

test("times and ids in a result are no difference, and neither is what a mask names", async () => {
  const result = (at: string, id: string, n: number) => JSON.stringify({ at, id, rows: [{ n }] });
  const one = await tiny(result("2026-01-01T00:00:00Z", "7b1c4f9e-3f5a-4a47-9d6f-000000000001", 1));
  const two = await tiny(result("2027-01-01T00:00:00Z", "7b1c4f9e-3f5a-4a47-9d6f-000000000002", 2));
  const masks = ["timestamps", "uuids", "$.rows[*].n"];
  const tape = openTape({ ...facts, mode: "record", masks });
  await play(one, tape.model(scriptedModel([[call("add")], "so"]), 1));
  const trace = await play(two, replay(tape.text()!).model(undefined, 1));
  expect(trace.cassette).toMatchObject({ hits: 2, loose: 0 });
});

test("rules that are played back are still labelled as rules", async () => {
  const server = await tiny();
  const tape = openTape({ ...facts, mode: "record" });
  await play(server, tape.model(ruleModel(), 1), "Use add");
  const trace = await play(server, replay(tape.text()!).model(undefined, 1), "Use add");
  expect(trace.model).toMatchObject({ id: "fettle/rules-1", modelClass: "rules" });
  expect(trace.warnings[0]).toContain("no language model");
});

test("another prompt is a miss, and so is no recording at all", async () => {
  const server = await tiny();
  for (const recorded of [await recordTwo(server), undefined]) {
    const tape = openTape({ ...facts, mode: "replay", ...(recorded !== undefined && { recorded }) });
    const trace = await play(server, tape.model(undefined, 1), "Something else.");
    expect(trace).toMatchObject({ exclusion: "setupFailed", turns: [{ stop: "cassette_miss" }] });
    expect(trace.faults[0]?.message).toContain("--cassette record");
  }
});

test("what is missing is recorded, what is there is not asked for again", async () => {
  const server = await tiny();
  const recorded = await recordTwo(server);
  const tape = openTape({ ...facts, mode: "replay_or_record", recorded });
  const live = scriptedModel(["new"]);
  await play(server, tape.model(live, 1));
  expect(live.requests).toHaveLength(0);
  expect(tape.text()).toBeUndefined();
  await play(server, tape.model(live, 1), "Another prompt.");
  expect(live.requests).toHaveLength(1);
  expect(readCassette(tape.text()!).turns).toHaveLength(5);
});

test("verifying asks the live model and says where it differs", async () => {
  const server = await tiny();
  const tape = openTape({ ...facts, mode: "verify", recorded: await recordTwo(server) });
  const live = scriptedModel([[call("add", { a: 1 })], "answer one"]);
  const trace = await play(server, tape.model(live, 1));
  expect(trace.cassette).toMatchObject({ mode: "verify", hits: 1, misses: 1, divergedAt: 2 });
  expect(finalTextOf(trace.messages)).toBe("answer one");
});

test.each<[what: string, spoil: (text: string) => string, words: string]>([
  ["changed by hand", (text) => text.replace("answer 1", "answer 9"), "changed after it was recorded"],
  ["cut", (text) => text.split("\n").slice(0, -2).join("\n"), "cut"],
  ["without a line", (text) => text.replace(/^\{"iteration".*\n/m, ""), "changed after"],
  ["no JSON", (text) => `${text}oops`, "no JSON object"],
  ["empty", () => "", "no JSON object"],
  ["of a later version", (text) => text.replace('"version":1', '"version":9'), "version is 9"],
])("a file that is %s is refused", async (_, spoil, words) => {
  const recorded = await recordTwo(await tiny());
  expect(() => replay(spoil(recorded))).toThrow(
    expect.objectContaining({ code: "CASSETTE_INVALID", message: expect.stringContaining(words) }),
  );
  // A checkout on Windows changes line ends, and nothing else.
  expect(replay(recorded.replaceAll("\n", "\r\n"))).toBeDefined();
});

test("a file is named after what is recorded, and never outside its folder", () => {
  expect(cassettePath("s_1", "c_1", { model: "a/b" })).toMatch(
    /^\.fettle\/cassettes\/s_1\/c_1\.[0-9a-f]{8}\.jsonl$/,
  );
  expect(() => cassettePath("..", "c_1", {})).toThrow(expect.objectContaining({ code: "CASSETTE_INVALID" }));
  expect(() => openTape({ ...facts, mode: "record", masks: ["$..x"] })).toThrow("is no mask");
});
