import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Message } from "../messages.ts";
import type { ModelRequest, OfferedTool } from "../model.ts";
import { chooseTool, readCatalogue } from "./choose-tool.ts";
import { clausesOf } from "./clauses.ts";
import { fillArguments } from "./fill-arguments.ts";
import { answerByRules, ruleModel } from "./rule-model.ts";

const tool = (
  name: string,
  properties: Record<string, object>,
  required: string[] = [],
  more: Partial<OfferedTool> = {},
): OfferedTool => ({ name, inputSchema: { type: "object", properties, required }, ...more });

const text = { type: "string" };
const date = { type: "string", format: "date" };
const email = { type: "string", format: "email" };
const number = { type: "number" };

const catalogue: OfferedTool[] = [
  tool("search_notes", { query: text, limit: { type: "integer" } }, ["query"]),
  tool("read_note", { id: text }, ["id"]),
  tool("delete_note", { id: text }, ["id"], { isDestructive: true }),
  tool("create_event", { title: text, date, attendees: { type: "array", items: email } }, ["title", "date"], {
    description: "Puts something into the calendar",
  }),
  tool("list_events", { from: date }, [], { description: "What the calendar holds" }),
  tool("add", { a: number, b: number }, ["a", "b"]),
  tool("get_weather", { city: text, units: { type: "string", enum: ["celsius", "fahrenheit"] } }, ["city"]),
  tool("send_email", { to: email, subject: text, body: text }, ["to"]),
];

const now = Date.parse("2026-11-16T12:00:00Z");

function request(messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages,
    tools: catalogue,
    toolChoice: "auto",
    parameters: {},
    now,
    position: { prompt: 0, step: 0 },
    ...more,
  };
}

const ask = (prompt: string, more: Partial<ModelRequest> = {}) =>
  answerByRules(request([{ role: "user", text: prompt }], more)).parts[0]!;

const vectors: [clause: string, name: string, score: number, args: object][] = [
  ["What does note 7 say?", "read_note", 4.45, { id: "7" }],
  ['Search my notes for "budget 2025"', "search_notes", 6.35, { query: "budget 2025" }],
  ["read note 12", "read_note", 7.05, { id: "12" }],
  ["Delete note 7", "delete_note", 7.05, { id: "7" }],
  ["Summarize note 7", "read_note", 4.45, { id: "7" }],
  ["Add 2 and 3", "add", 11.5, { a: 2, b: 3 }],
  ["What is the weather in Paris in celsius?", "get_weather", 3.99, { city: "Paris", units: "celsius" }],
  [
    'Schedule "Team sync" on 2025-06-03 with ann@x.io',
    "create_event",
    2.9,
    { title: "Team sync", date: "2025-06-03", attendees: ["ann@x.io"] },
  ],
  ["Email bob@x.org about the launch", "send_email", 4.8, { to: "bob@x.org" }],
  ["show me what is on my calendar", "list_events", 1.45, {}],
  ["Find notes about taxes", "search_notes", 3.75, { query: "taxes" }],
];

test.each(vectors)("%s selects %s with %d", (clause, name, score, args) => {
  const choice = chooseTool(readCatalogue(catalogue), clause, now, () => undefined)!;
  expect(choice.tool.name).toBe(name);
  expect(Math.abs(choice.score - score)).toBeLessThan(0.006);
  expect(choice.filling).toMatchObject({ arguments: args, missing: [] });
  expect(ask(clause)).toMatchObject({ type: "tool-call", name, arguments: args });
});

test.each([
  "What parameters does search_notes take?",
  "Thanks!",
  "Do not call any tool, just explain how email works",
  "How does read_note work?",
  "Please don't use add for 2 and 3",
  "Write me a poem about the sea",
  "book a flight to Rome",
])("%s calls nothing", (prompt) => {
  expect(ask(prompt).type).toBe("text");
});

test("two clauses are two calls, one at a time, and the end says what each gave", () => {
  const messages: Message[] = [{ role: "user", text: 'Search my notes for "budget 2025" then read note 12' }];
  const names: string[] = [];
  for (;;) {
    const { parts } = answerByRules(request(messages));
    const [part] = parts;
    if (part?.type !== "tool-call") {
      expect(part).toEqual({ type: "text", text: "search_notes: 3 found\nread_note: Budget: 7" });
      break;
    }
    names.push(part.name);
    const said = part.name === "read_note" ? "Budget: 7" : "3 found";
    messages.push({ role: "assistant", parts });
    messages.push({ role: "tool", toolCallId: part.toolCallId, name: part.name, text: said, isError: false });
  }
  expect(names).toEqual(["search_notes", "read_note"]);
});

test("an id that an earlier result named is used where the clause names none", () => {
  const messages: Message[] = [
    { role: "user", text: 'Search my notes for "tea", then read the note' },
    {
      role: "assistant",
      parts: [{ type: "tool-call", toolCallId: "a", name: "search_notes", arguments: { query: "tea" } }],
    },
    { role: "tool", toolCallId: "a", name: "search_notes", text: '{"notes":[{"id":"n-9"}]}', isError: false },
  ];
  expect(answerByRules(request(messages)).parts[0]).toMatchObject({
    name: "read_note",
    arguments: { id: "n-9" },
  });
});

test("a tool error ends the turn and is told", () => {
  const messages: Message[] = [
    { role: "user", text: "Delete note 7 then read note 8" },
    {
      role: "assistant",
      parts: [{ type: "tool-call", toolCallId: "a", name: "delete_note", arguments: { id: "7" } }],
    },
    { role: "tool", toolCallId: "a", name: "delete_note", text: "no such note", isError: true },
  ];
  expect(answerByRules(request(messages)).parts).toEqual([
    { type: "text", text: "delete_note failed: no such note" },
  ]);
});

test("a required argument that nothing fills is asked for, and nothing is called", () => {
  expect(ask("read the note")).toMatchObject({ type: "text", text: expect.stringContaining("I need id") });
});

test("required forces the best tool, none forces words", () => {
  expect(ask("Write me a poem about the sea", { toolChoice: "required" }).type).toBe("tool-call");
  expect(ask("Delete note 7", { toolChoice: "none" }).type).toBe("text");
});

test("an answer that must be JSON is filled by the same rules, then from the schema", () => {
  const responseSchema = {
    type: "object",
    properties: { day: date, score: { type: "integer", minimum: 1 }, verdict: { enum: ["good", "bad"] } },
    required: ["day", "score", "verdict"],
  };
  const part = ask("It was bad on 2026-01-02", { responseSchema });
  expect(JSON.parse(part.type === "text" ? part.text : "")).toEqual({
    day: "2026-01-02",
    score: 1,
    verdict: "bad",
  });
});

describe("arguments", () => {
  const filled = (schema: object, clause: string) =>
    fillArguments({ type: "object", ...schema }, clause, now, () => undefined);

  test.each<[schema: object, clause: string, args: object]>([
    [{ properties: { when: date } }, "tomorrow", { when: "2026-11-17" }],
    [{ properties: { when: date } }, "next Monday", { when: "2026-11-23" }],
    [
      { properties: { when: { type: "string", format: "date-time" } } },
      "today",
      { when: "2026-11-16T00:00:00Z" },
    ],
    [{ properties: { title: text } }, "make one called Blue Door, please", { title: "Blue Door" }],
    [{ properties: { city: text } }, "city = Graz and units=c", { city: "Graz" }],
    [{ properties: { issueId: text } }, "close ABC-12", { issueId: "ABC-12" }],
    [{ properties: { id: { type: "integer" } } }, "show #12", { id: 12 }],
    [{ properties: { limit: { type: "integer" } } }, "the 5 best", {}],
    [{ properties: { limit: { type: "integer" } } }, "a limit of 5", { limit: 5 }],
    [{ properties: { archived: { type: "boolean" } } }, "all that are archived", { archived: true }],
    [{ properties: { archived: { type: "boolean" } } }, "those not archived", { archived: false }],
    [
      { properties: { tags: { type: "array", items: text } } },
      "tags: red, green and blue",
      { tags: ["red", "green", "blue"] },
    ],
    [
      { properties: { link: { type: "string", format: "uri" } } },
      "open https://a.b/c?d=1.",
      { link: "https://a.b/c?d=1" },
    ],
    [
      {
        properties: { at: { type: "object", properties: { city: text }, required: ["city"] } },
        required: ["at"],
      },
      "in Graz",
      { at: { city: "Graz" } },
    ],
    [{ properties: { mode: { const: "x" } } }, "go", { mode: "x" }],
    [{ properties: { n: { type: "integer", default: 3 } }, required: ["n"] }, "go", { n: 3 }],
    [{ properties: { v: { type: ["null", "string"] } } }, 'say "hi"', { v: "hi" }],
  ])("%j from %s", (schema, clause, args) => {
    expect(filled(schema, clause)).toMatchObject({ arguments: args, missing: [] });
  });

  test("a parameter called __proto__ is a parameter", () => {
    const schema = { properties: JSON.parse('{"__proto__": {"type": "string"}}') };
    expect(Object.keys(filled(schema, 'say "hi"').arguments)).toEqual(["__proto__"]);
  });
});

test("quotation marks hold a clause together, and next Friday is a date", () => {
  expect(clausesOf('Find "a then b"; read note 3. 1) Do it')).toHaveLength(3);
  expect(clausesOf("Meet me next Friday")).toEqual(["Meet me next Friday"]);
  expect(clausesOf("- one\n- two\n3. three")).toEqual(["one", "two", "three"]);
});

test("two processes give the same bytes", () => {
  const script = `
    import { answerByRules } from ${JSON.stringify(join(import.meta.dirname, "rule-model.ts"))};
    console.log(JSON.stringify(answerByRules(${JSON.stringify(request([{ role: "user", text: "Delete note 7" }]))})));
  `;
  const run = () =>
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(run()).toBe(run());
});

test("it says what it is", () => {
  expect(ruleModel()).toMatchObject({
    id: "fettle/rules-1",
    modelClass: "rules",
    deterministic: true,
    notice: expect.stringContaining("no language model"),
  });
});

const heldUpBy = [
  ...["x", "é", "1-", "1.", "A-1", "a@b.", "a ", "x=", "in A ", "note ", "id: ", "next ", "\n- ", "hi ", " "],
  ...['"', "“", "«", "'", "`", "what ", "what tool ", "how does ", "do not ", "never "],
];

// Each is read while everybody else in the process waits, and anybody with a link chooses the words.
test.each(heldUpBy)("a long message of nothing but %j is read at once", (piece) => {
  const before = process.threadCpuUsage();
  ask(piece.repeat(10_000 / piece.length));
  // Work, not time, which a busy machine stretches.
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(100);
});
