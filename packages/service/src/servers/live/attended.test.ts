import { randomBytes, randomUUID } from "node:crypto";
import { startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPublicEverything } from "../../../../mcp/src/testing/everything-server.ts";
import { signedInBrowser } from "../../testing/browser.ts";
import { connectingPerson } from "../../testing/connecting.ts";
import { testDatabase } from "../../testing/database.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let person: Awaited<ReturnType<typeof connectingPerson>>;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService();
  stack.defer(() => service.close());
  person = await connectingPerson(service);
});
afterAll(() => stack.disposeAsync());

const everything = {
  sampling: true,
  elicitation: true,
  tasks: true,
  widgets: true,
  roots: [{ uri: "file:///work" }],
};
const nothing = { sampling: false, elicitation: false, tasks: false, widgets: false, roots: null };

async function save(url: string): Promise<string> {
  const made = await service.call(`/api/v1/projects/${person.projectId}/servers`, {
    method: "POST",
    key: person.key,
    body: { name: `server ${randomUUID()}`, transportType: "http", url },
  });
  expect(made.status).toBe(201);
  return `/app/projects/${person.projectId}/servers/${made.body.id}/asks`;
}

interface Heard {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was told
  data: any;
}

interface Asking {
  askId: string;
  /** Whether such a thing was told already. */
  hasHeard(is: (heard: Heard) => boolean): boolean;
  /** All that was told, when it is over. */
  heard: Promise<Heard[]>;
}

const eventsOf = (text: string): Heard[] =>
  [...text.matchAll(/event: (.+)\ndata: (.+)\n/g)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!),
  }));

function ask(path: string, asked: object, over: object = {}): Asking {
  const askId = randomUUID();
  const body = { askId, asked, declares: everything, ...over };
  let soFar = "";
  const hears = (text: string) => {
    soFar = text;
  };
  const heard = person.browser.call(path, { method: "POST", body, hears }).then((answer) => {
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return eventsOf(answer.body);
  });
  return { askId, hasHeard: (is) => eventsOf(soFar).some(is), heard };
}

const call = (toolName: string, parameters: object = {}) => ({
  name: "callTool",
  input: { toolName, parameters },
});

/** Says something about an open question until it is over: nothing before it was asked, or after, is held against us. */
async function until<Told>(asking: { heard: Promise<Told> }, say: () => Promise<unknown>): Promise<Told> {
  let isOver = false;
  const heard = asking.heard.finally(() => {
    isOver = true;
  });
  await expect
    .poll(async () => {
      await say();
      return isOver;
    })
    .toBe(true);
  return heard;
}

const answering =
  (path: string, { askId }: Asking, answer: object) =>
  () =>
    person.browser.call(`${path}/${askId}/answers`, { method: "POST", body: { requestId: "1", answer } });

/** Cancels it once such a thing was told. */
const cancelling =
  (path: string, { askId, hasHeard }: Asking, is: (heard: Heard) => boolean) =>
  async () => {
    if (hasHeard(is)) await person.browser.call(`${path}/${askId}/cancel`, { method: "POST" });
  };
const isAsked = ({ event }: Heard) => event === "asked";

const last = (heard: Heard[]) => heard.at(-1)!;
const sent = (heard: Heard[]) =>
  heard.flatMap(({ event, data }) =>
    event === "wire" && data.entry.kind === "message" ? [data.entry.message] : [],
  );

const eras = [
  {
    era: "with sessions",
    start: async () => stack.use(await startPublicEverything("streamableHttp")),
    form: call("trigger-elicitation-request"),
    given: { name: "ana", integer: 42 },
    sampling: call("trigger-sampling-request", { prompt: "Hello?" }),
    progress: call("trigger-long-running-operation", { duration: 0.3, steps: 3 }),
    steps: [1, 2, 3],
    completing: {
      ref: { prompt: "completable-prompt" },
      argument: { name: "name", value: "" },
      context: { department: "Sales" },
    },
    proposed: ["David", "Eve", "Frank"],
    followed: "demo://resource/static/document/features.md",
    changing: call("toggle-subscriber-updates"),
    listChanging: call("gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,a" }),
    listChanged: "notifications/resources/list_changed",
  },
  {
    era: "without",
    start: async () => stack.adopt(await startEverything(), (sample) => sample.close()),
    form: call("test_elicitation", { message: "Who are you?" }),
    given: { username: "ana", email: "ana@example.com" },
    sampling: call("test_sampling", { prompt: "Hello?" }),
    progress: call("test_tool_with_progress"),
    steps: [0, 50, 100],
    completing: {
      ref: { uriTemplate: "test://template/{id}/data" },
      argument: { name: "id", value: "12" },
      context: {},
    },
    proposed: ["123", "124"],
    followed: "test://watched-resource",
    changing: call("test_trigger_resource_change"),
    listChanging: call("test_trigger_tool_change"),
    listChanged: "notifications/tools/list_changed",
  },
];

describe.each(eras)("a server $era", ({ start, form, given, sampling, progress, steps, ...era }) => {
  let path: string;
  beforeAll(async () => {
    path = await save((await start()).url);
  });

  it("is asked while somebody listens: every message and the HTTP below it are told, then the answer", async () => {
    const heard = await ask(path, { name: "listTools", input: {} }).heard;
    expect(last(heard)).toMatchObject({ event: "done", data: { items: expect.any(Array) } });
    expect(sent(heard).some((message) => message.method === "tools/list")).toBe(true);
    const exchanges = heard.flatMap(({ data }) => (data.entry?.kind === "http" ? [data.entry] : []));
    expect(exchanges).toContainEqual(expect.objectContaining({ method: "POST", status: 200 }));
  });

  it("asks the person, whose answer it gets", async () => {
    const asking = ask(path, form);
    const result = { action: "accept", content: given };
    const heard = await until(asking, answering(path, asking, { result }));
    expect(heard.find(({ event }) => event === "asked")?.data).toMatchObject({
      requestId: "1",
      method: "elicitation/create",
      params: { message: expect.any(String), requestedSchema: expect.any(Object) },
    });
    expect(heard.find(({ event }) => event === "settled")?.data).toEqual({
      requestId: "1",
      reason: "answered",
    });
    expect(JSON.stringify(last(heard).data.content)).toContain("ana");
  });

  it("waits longer for the person than it is waited for itself", async () => {
    const asking = ask(path, sampling, { limitMs: 1_000 });
    const askedAt = performance.now();
    const result = said;
    const heard = await until(asking, async () => {
      // Past the limit, which would have ended the call if it had run meanwhile.
      if (performance.now() - askedAt > 1_500) await answering(path, asking, { result })();
    });
    expect(JSON.stringify(last(heard).data)).toContain("by hand");
  });

  it("tells its progress to the person", async () => {
    const heard = await ask(path, progress).heard;
    const told = heard.filter(({ event }) => event === "progress").map(({ data }) => data.progress);
    expect(told).toEqual(steps);
  });

  it("proposes values for an argument, knowing the others", async () => {
    const heard = await ask(path, { name: "complete", input: era.completing }).heard;
    expect(last(heard)).toEqual({ event: "done", data: { values: era.proposed } });
  });

  it("tells whoever listens of a resource that is followed, and that a list has changed", async () => {
    const listening = ask(path, { name: "listen", input: { resources: [era.followed] } });
    const tells = (method: string, uri?: string) => (heard: Heard) =>
      sent([heard]).some((told) => told.method === method && told.params?.uri === uri);
    const isUpdate = tells("notifications/resources/updated", era.followed);
    const isListChange = tells(era.listChanged);
    let times = 0;
    const heard = await until(listening, async () => {
      times += 1;
      await ask(path, times % 2 === 0 ? era.changing : era.listChanging).heard;
      if (listening.hasHeard(isUpdate)) await cancelling(path, listening, isListChange)();
    });
    expect(last(heard).event).toBe("done");
  });

  it("withdraws its question when the call is cancelled, and nobody else can answer or cancel it", async () => {
    const stranger = await connectingPerson(service);
    const asking = ask(path, form);
    const cancel = `${path}/${asking.askId}/cancel`;
    const refused = await stranger.browser.call(cancel, { method: "POST" });
    expect(refused.status).toBe(404);
    const heard = await until(asking, cancelling(path, asking, isAsked));
    expect(heard.map(({ event }) => event).filter((event) => event !== "wire")).toEqual([
      "asked",
      "settled",
      "cancelled",
    ]);
  });
});

const said = { role: "assistant", content: { type: "text", text: "by hand" }, model: "person" };

/** Every tool of a server that nobody here wrote: what it is called with, what the person answers, and a word of the result. */
const tools: [name: string, parameters: object, word: RegExp, answer?: object][] = [
  ["echo", { message: "hello" }, /hello/],
  ["get-annotated-message", { messageType: "success" }, /success/i],
  ["get-env", {}, /PATH/],
  ["get-resource-links", { count: 2 }, /resource_link/],
  ["get-resource-reference", { resourceType: "Text", resourceId: 1 }, /resource/],
  ["get-structured-content", { location: "Chicago" }, /structuredContent/],
  ["get-sum", { a: 2, b: 40 }, /42/],
  ["get-tiny-image", {}, /image\/png/],
  ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,a", outputType: "resource" }, /gzip/],
  ["toggle-simulated-logging", {}, /logging/i],
  ["toggle-subscriber-updates", {}, /updat/i],
  ["trigger-long-running-operation", { duration: 0.2, steps: 2 }, /completed/i],
  ["get-roots-list", {}, /file:\/\/\/work/],
  ["trigger-elicitation-request", {}, /ana/, { action: "accept", content: { name: "ana" } }],
  ["trigger-url-elicitation", { url: "https://example.com/in" }, /accept/i, { action: "accept" }],
  ["trigger-sampling-request", { prompt: "Hello?" }, /by hand/, said],
  ["simulate-research-query", { topic: "bread" }, /Research Report: bread/],
  ["trigger-sampling-request-async", { prompt: "Hello?" }, /COMPLETED.*by hand/s, said],
  [
    "trigger-elicitation-request-async",
    {},
    /COMPLETED.*ana/s,
    { action: "accept", content: { name: "ana" } },
  ],
];

describe("every tool of a server that nobody here wrote", () => {
  let path: string;
  let offered: { name: string; execution?: { taskSupport?: string } }[];
  beforeAll(async () => {
    path = await save(stack.use(await startPublicEverything("streamableHttp")).url);
    offered = last(await ask(path, { name: "listTools", input: {} }).heard).data.items;
  });
  it("is offered", () => {
    expect(offered.map(({ name }) => name).sort()).toEqual(tools.map(([name]) => name).sort());
  });
  it.each(tools)("%s", async (toolName, parameters, word, result) => {
    const isTask = offered.find(({ name }) => name === toolName)?.execution?.taskSupport === "required";
    const input = { toolName, parameters, ...(isTask && { taskOptions: {} }) };
    const asking = ask(path, { name: "callTool", input });
    const heard = result ? await until(asking, answering(path, asking, { result })) : await asking.heard;
    expect(last(heard)).toMatchObject({ event: "done" });
    expect(JSON.stringify(last(heard).data)).toMatch(word);
  });
});

const taskEras = [
  {
    wire: "asked for by the client",
    start: async () => stack.use(await startPublicEverything("streamableHttp")),
    asking: {
      toolName: "simulate-research-query",
      parameters: { topic: "python", ambiguous: true },
      taskOptions: {},
    },
    given: { interpretation: "snake" },
    word: /snake/,
  },
  {
    wire: "decided by the server",
    start: async () => stack.adopt(await startEverything(), (sample) => sample.close()),
    asking: { toolName: "confirm_delete", parameters: { filename: "notes.txt" } },
    given: { confirm: true },
    word: /notes\.txt/,
  },
];

describe.each(taskEras)("a task $wire", ({ start, asking: input, given, word }) => {
  let path: string;
  beforeAll(async () => {
    path = await save((await start()).url);
  });
  const tasksIn = (heard: Heard[]) =>
    heard.flatMap(({ event, data }) => (event === "task" ? [data.status] : []));

  it("is followed, asks the person, and ends with the tool's own result", async () => {
    const asking = ask(path, { name: "callTool", input });
    const heard = await until(
      asking,
      answering(path, asking, { result: { action: "accept", content: given } }),
    );
    expect(tasksIn(heard)).toEqual(expect.arrayContaining(["input_required", "completed"]));
    expect(JSON.stringify(last(heard).data.content)).toMatch(word);
  });

  it("is cancelled as a task, and its question is withdrawn", async () => {
    const asking = ask(path, { name: "callTool", input });
    const heard = await until(asking, cancelling(path, asking, isAsked));
    expect(last(heard)).toEqual({ event: "cancelled", data: { by: "tasks/cancel" } });
    const asked = heard.filter(({ event }) => event === "asked").length;
    expect(heard.filter(({ event }) => event === "settled")).toHaveLength(asked);
  });
});

it.each([
  ["asked for by the client", taskEras[0]!.start, "simulate-research-query", { topic: "bread" }, /bread/],
  ["decided by the server", taskEras[1]!.start, "slow_compute", { seconds: 0.1, label: "again" }, /again/],
])(
  "a task %s is made again from the history as one, and so is what was saved of it",
  async (_, start, toolName, parameters, word) => {
    const path = await save((await start()).url);
    const input = { toolName, parameters, taskOptions: {} };
    expect(last(await ask(path, { name: "callTool", input }).heard).event).toBe("done");
    const server = path.replace("/app/", "/api/v1/").replace(/\/asks$/, "");
    const at = (method: string, rest: string, body?: object) =>
      service.call(server + rest, { method, key: person.key, ...(body && { body }) });
    const [entry] = (await at("GET", "/history?kind=tool")).body.items;
    const saved = await at("POST", "/saved-calls", { name: "Again", entryId: entry.id });
    for (const rest of [`/history/${entry.id}/run`, `/saved-calls/${saved.body.id}/run`]) {
      const { body } = await at("POST", rest, {});
      expect(body.entry).toMatchObject({ outcome: "ok" });
      expect(JSON.stringify(body.entry.result)).toMatch(word);
      expect(JSON.stringify(body.entry.recording)).toContain("tasks/get");
    }
  },
);

describe("a long call of a server with sessions", () => {
  let path: string;
  beforeAll(async () => {
    path = await save(stack.use(await startPublicEverything("streamableHttp")).url);
    // Warm: what is cancelled below is then the call, and not yet the way there.
    await ask(path, { name: "listTools", input: {} }).heard;
  });
  const long = (duration: number, steps: number) =>
    call("trigger-long-running-operation", { duration, steps });

  it("is cancelled on the wire", async () => {
    const asking = ask(path, long(60, 2));
    const isCalled = (heard: Heard) => sent([heard]).some(({ method }) => method === "tools/call");
    const heard = await until(asking, cancelling(path, asking, isCalled));
    expect(last(heard)).toEqual({ event: "cancelled", data: { by: "notifications/cancelled" } });
    expect(sent(heard).some(({ method }) => method === "notifications/cancelled")).toBe(true);
  });

  it("goes on past the limit as long as it reports progress", async () => {
    // Twenty reports within the limit, so that a busy machine may be late with most of them.
    const heard = await ask(path, long(5, 25), { limitMs: 4_000 }).heard;
    expect(last(heard).event).toBe("done");
  });

  it("is ended by the limit when it is silent, which the server hears too", async () => {
    const heard = await ask(path, long(60, 1), { limitMs: 1_000 }).heard;
    expect(last(heard)).toMatchObject({ event: "failed", data: { code: "TIMEOUT" } });
    expect(sent(heard).some(({ method }) => method === "notifications/cancelled")).toBe(true);
  });
});

it("hears an answer and a cancellation that reach another process of the service", async () => {
  const database = await testDatabase();
  stack.defer(() => database.close());
  // As processes of one service have it.
  const env = { FETTLE_SECRET_KEY: randomBytes(32).toString("base64") };
  const [here, there] = [await testService({ database, env }), await testService({ database, env })];
  stack.use(here);
  stack.use(there);
  const ana = await connectingPerson(here);
  const sample = await startEverything();
  stack.defer(() => sample.close());
  const made = await here.call(`/api/v1/projects/${ana.projectId}/servers`, {
    method: "POST",
    key: ana.key,
    body: { name: "far", transportType: "http", url: sample.url },
  });
  const path = `/app/projects/${ana.projectId}/servers/${made.body.id}/asks`;
  const elsewhere = await signedInBrowser(there, ana.userId);
  const asking = (askId: string) => ({
    askId,
    heard: ana.browser
      .call(path, {
        method: "POST",
        body: { askId, asked: call("test_sampling", { prompt: "Hello?" }), declares: everything },
      })
      .then(({ body }) => String(body)),
  });
  // Longer than one notification of the database.
  const text = "far away ".repeat(2_000);
  const answered = asking(randomUUID());
  const answer = { result: { role: "assistant", content: { type: "text", text }, model: "person" } };
  const body = { requestId: "1", answer };
  const say = () => elsewhere.call(`${path}/${answered.askId}/answers`, { method: "POST", body });
  expect(await until(answered, say)).toContain(text);
  const cancelled = asking(randomUUID());
  const cancel = () => elsewhere.call(`${path}/${cancelled.askId}/cancel`, { method: "POST" });
  expect(await until(cancelled, cancel)).toContain("event: cancelled");
});

it("declares what the page says, and no more", async () => {
  const sample = await startEverything();
  stack.defer(() => sample.close());
  const path = await save(sample.url);
  const list = { name: "listTools", input: {} };
  const declared = async (over: object) => {
    const messages = sent(await ask(path, list, over).heard);
    const opening = messages.find(({ method }) => method === "initialize" || method === "server/discover");
    return opening.params.capabilities ?? opening.params._meta["io.modelcontextprotocol/clientCapabilities"];
  };
  expect(await declared({ declares: everything })).toEqual({
    sampling: {},
    elicitation: { form: {}, url: {} },
    roots: {},
    extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
  });
  expect(await declared({ declares: nothing })).toEqual({});
});

it("a server that cannot be asked is told as a failure with its code", async () => {
  const path = await save("http://127.0.0.1:9/mcp");
  const heard = await ask(path, { name: "listTools", input: {} }).heard;
  expect(last(heard)).toMatchObject({ event: "failed", data: { code: "SERVER_UNREACHABLE", status: 502 } });
});
