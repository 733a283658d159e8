import { isObject, type JsonObject } from "@fettle/mcp";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../agent/agent.ts";
import { openServers } from "../agent/servers.ts";
import { said, startTinyServer } from "../agent/testing/tiny-server.ts";
import { playCase } from "../run/play-case.ts";
import type { SuiteCase } from "../suite/suite-file.ts";
import { adaptTool } from "./adapted-tool.ts";
import { readModelConfiguration } from "./configuration.ts";
import { createModelSource } from "./model-source.ts";
import { type ModelServer, startModelServer, testKey } from "./testing/model-server.ts";
import { anthropicDialect, googleDialect, openAiDialect } from "./tool-dialect.ts";

/** Each is a schema that MCP allows and that some provider refuses. */
const odd: Record<string, { inputSchema: JsonObject; args: JsonObject; description?: string }> = {
  bare: { inputSchema: { type: "object" }, args: {} },
  nested: {
    inputSchema: {
      type: "object",
      properties: { list: { type: "array" }, free: { type: ["object", "null"] } },
    },
    args: { list: [1], free: {} },
  },
  either: {
    inputSchema: {
      type: "object",
      properties: { title: { type: "string" }, id: { type: "integer" } },
      anyOf: [{ required: ["title"] }, { required: ["id"] }],
    },
    args: { title: "Emma" },
  },
  variants: {
    inputSchema: {
      type: "object",
      oneOf: [
        { properties: { at: { type: "string" }, kind: { const: "day" } }, required: ["kind", "at"] },
        { properties: { at: { type: "integer" }, kind: { const: "week" } }, required: ["kind"] },
        { type: "string" },
      ],
    },
    args: { kind: "week", at: 3 },
  },
  parts: {
    inputSchema: {
      type: "object",
      allOf: [
        { $ref: "#/$defs/paged" },
        { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      ],
      $defs: { paged: { type: "object", properties: { page: { type: "integer", exclusiveMinimum: 0 } } } },
    },
    args: { query: "sea", page: 1 },
  },
  negated: {
    inputSchema: { type: "object", properties: { a: { type: "string" } }, not: { required: ["b"] } },
    args: { a: "x" },
  },
  spelled: {
    inputSchema: {
      type: "object",
      properties: {
        "user id": { type: "string" },
        filters: { type: "array", items: { type: "object", properties: { größe: { type: "integer" } } } },
      },
      required: ["user id"],
    },
    args: { "user id": "u1", filters: [{ größe: 3 }] },
  },
  tuple: {
    inputSchema: {
      type: "object",
      properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } },
    },
    args: { pair: ["a", 1] },
  },
  choices: {
    inputSchema: {
      type: "object",
      properties: { on: { enum: [true, null] }, size: { enum: ["s", 1, null] }, fixed: { const: "x" } },
      additionalProperties: false,
    },
    args: { on: true, size: "s", fixed: "x" },
  },
  wordy: { inputSchema: { type: "object", properties: {} }, args: {}, description: "word ".repeat(400) },
};
const impossible = { type: "object", anyOf: [{ type: "string" }, { type: "array" }] };

const names = { openai: "openai/stub", anthropic: "anthropic/stub", google: "google/stub" };

function open(server: ModelServer, name: string) {
  const source = createModelSource(
    readModelConfiguration(
      {
        providers: {
          openai: { apiKey: testKey, baseUrl: `${server.origin}/v1` },
          anthropic: { apiKey: testKey, baseUrl: server.origin },
          google: { apiKey: testKey, baseUrl: `${server.origin}/v1beta` },
          custom: { local: { baseUrl: `${server.origin}/v1`, apiKey: testKey } },
        },
      },
      {},
    ),
    { retries: 0 },
  );
  onTestFinished(() => source.close());
  return source.open(name);
}

/** What stands at a path of plain JSON. */
const at = (value: unknown, ...path: string[]) =>
  path.reduce<unknown>((inner, key) => (inner as JsonObject)[key], value) as JsonObject;

/** What the wire was sent as the tool's arguments schema. */
function sentSchemas(body: JsonObject): Record<string, JsonObject> {
  const listed = JSON.stringify(body.tools);
  const tools: JsonObject[] = [JSON.parse(listed)].flat(9).flatMap((tool: JsonObject) => {
    if (Array.isArray(tool.functionDeclarations)) return tool.functionDeclarations;
    return isObject(tool.function) ? [tool.function] : [tool];
  });
  return Object.fromEntries(
    tools.map((tool) => [
      String(tool.name),
      (tool.parameters ?? tool.input_schema ?? tool.parametersJsonSchema) as JsonObject,
    ]),
  );
}

test.each(Object.entries(names))(
  "every tool that MCP allows is offered as %s takes it, and called as the server wants it",
  async (_, name) => {
    await using model = await startModelServer();
    await using tiny = await startTinyServer(
      "tiny",
      Object.fromEntries(
        Object.entries(odd).map(([tool, { inputSchema, description = "x" }]) => [
          tool,
          { inputSchema, description, run: () => said("ok") },
        ]),
      ),
    );
    const servers = await openServers([tiny.binding]);
    onTestFinished(() => servers.close());
    const opened = open(model, name);
    await createAgent({ model: opened, servers: servers.links }).prompt("Begin.");
    const sent = sentSchemas(model.requests[0]!.body);
    expect(Object.keys(sent).toSorted()).toEqual(Object.keys(odd).toSorted());
    // As the model would say it, in the words that it was offered.
    const inWords = (tool: string) => {
      const [user = "", list = ""] = Object.keys(sent.spelled!.properties as JsonObject);
      const size = Object.keys(at(sent.spelled, "properties", list, "items", "properties"))[0]!;
      return tool === "spelled" ? { [user]: "u1", [list]: [{ [size]: 3 }] } : odd[tool]!.args;
    };
    const calls = Object.keys(odd).map((tool) => ({
      id: tool,
      name: tool,
      args: JSON.stringify(inWords(tool)),
    }));
    model.will({ kind: "answer", calls }, { kind: "answer", text: "Done." });
    const agent = createAgent({ model: opened, servers: servers.links });
    const turn = await agent.prompt("Call them all.");
    expect(agent.trace.faults).toEqual([]);
    expect(turn.stop).toBe("completed");
    expect(Object.fromEntries(tiny.calls.map((call) => [call.name, call.args]))).toEqual(
      Object.fromEntries(Object.entries(odd).map(([tool, { args }]) => [tool, args])),
    );
    // What the model said comes back to it in the words that it used.
    const { messages, contents } = model.requests.at(-1)!.body;
    expect(JSON.stringify(messages ?? contents)).toContain(Object.keys(inWords("spelled"))[0]);
  },
);

test("what the model is told differently is said, and nothing else", () => {
  const changes = (tool: string, dialect: typeof openAiDialect) => {
    const adapted = adaptTool({ name: tool, ...odd[tool]! }, dialect);
    return "changes" in adapted ? adapted.changes : adapted.refusal;
  };
  expect(changes("bare", openAiDialect)).toEqual([]);
  expect(changes("parts", openAiDialect)).toEqual([]);
  expect(changes("either", openAiDialect)).toEqual([
    '"anyOf" at its top is merged, so it does not say which arguments belong together',
  ]);
  expect(changes("negated", openAiDialect)).toEqual(['"not" at its top is left out']);
  expect(changes("negated", anthropicDialect)).toEqual([]);
  expect(changes("wordy", openAiDialect)).toEqual(["its description is cut to 1024 characters"]);
  expect(changes("wordy", anthropicDialect)).toEqual([]);
  expect(changes("spelled", anthropicDialect)).toEqual([
    expect.stringMatching(/^the argument "größe" is called "gr__e_[0-9a-f]{8}"$/),
    expect.stringMatching(/^the argument "user id" is called "user_id_[0-9a-f]{8}"$/),
  ]);
  expect(changes("parts", googleDialect)).toEqual([]);
  expect(changes("choices", googleDialect)).toEqual(["only texts and numbers of an enum are offered"]);
});

test("merged alternatives keep what each asks for", () => {
  const adapted = adaptTool({ name: "variants", ...odd.variants! }, openAiDialect);
  expect(adapted).toMatchObject({
    schema: {
      type: "object",
      properties: {
        at: { anyOf: [{ type: "string" }, { type: "integer" }] },
        kind: { anyOf: [{ const: "day" }, { const: "week" }] },
      },
      required: ["kind"],
    },
  });
});

test("a tool that cannot be offered is left out, and its cases say so instead of failing", async () => {
  await using model = await startModelServer();
  await using tiny = await startTinyServer("tiny", {
    stuck: { inputSchema: impossible, run: () => said("ok") },
    fine: { run: () => said("ok") },
  });
  const play = async (name: string, toolName: string) => {
    const item = {
      id: toolName,
      title: toolName,
      steps: [{ kind: "prompt", id: "p", prompt: `Use ${toolName}.` }],
      checks: [{ type: "toolCalledAtLeastOnce", toolName }],
    } as SuiteCase;
    return playCase(item, {
      model: open(model, name),
      connect: (signal) => openServers([tiny.binding], signal),
      signal: AbortSignal.timeout(60_000),
      now: 0,
    });
  };
  for (const name of [...Object.values(names)]) {
    const stuck = await play(name, "stuck");
    expect(stuck).toMatchObject({
      status: "setup_failed",
      result: null,
      error:
        "Not offered: stuck was not offered to the model, because its arguments can never be an object, as its schema says.",
    });
    expect(stuck.trace?.warnings).toContain(
      "The model was not offered stuck: its arguments can never be an object, as its schema says.",
    );
    model.will(
      { kind: "answer", calls: [{ id: "c", name: "fine", args: "{}" }] },
      { kind: "answer", text: "Done." },
    );
    expect(await play(name, "fine")).toMatchObject({ status: "completed", result: "passed" });
  }
});
