import { fileURLToPath } from "node:url";
import {
  type Client,
  type ClientOptions,
  type ElicitRequest,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { type RunningSample, startEverything } from "../index.ts";
import { connectHttp, connectStdio, ERAS, type Era, REVISION } from "../sdk-client.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const TASKS = "io.modelcontextprotocol/tasks";
const anything = z.looseObject({});

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const OBLIGING: ClientOptions = {
  capabilities: { sampling: {}, elicitation: { form: {} }, roots: {}, extensions: { [TASKS]: {} } },
};

/** A client that answers whatever it is asked. */
function oblige(client: Client): Client {
  client.setRequestHandler("sampling/createMessage", () => ({
    model: "test",
    role: "assistant" as const,
    content: { type: "text" as const, text: "Paris" },
  }));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/test" }] }));
  client.setRequestHandler("elicitation/create", (request: ElicitRequest) => {
    const properties = "requestedSchema" in request.params ? request.params.requestedSchema.properties : {};
    const answer = (type?: string) => (type === "boolean" ? true : "Ida");
    const content = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, answer(schema.type)]),
    );
    return { action: "accept" as const, content };
  });
  return client;
}

const connections: Record<string, (era: Era) => Promise<Client>> = {
  HTTP: (era) => connectHttp(everything.url, era, OBLIGING),
  stdio: (era) => connectStdio([MAIN, "--stdio"], era, OBLIGING),
};
const cases = ERAS.flatMap((era) => Object.keys(connections).map((transport) => ({ era, transport })));

describe.each(cases)("in the $era era over $transport", ({ era, transport }) => {
  let client: Client;
  beforeAll(async () => {
    client = oblige(await connections[transport]!(era));
  });
  afterAll(() => client.close());

  const textOf = async (name: string, args: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name, arguments: args });
    return content[0]?.type === "text" ? content[0].text : content[0]?.type;
  };

  test("every fixture is listed", async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(REVISION[era]);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(CONTRACT.tools));
    const { prompts } = await client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(expect.arrayContaining(CONTRACT.prompts));
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toEqual(CONTRACT.resources);
  });

  test("each kind of content arrives", async () => {
    expect(await textOf("test_simple_text")).toContain("simple text");
    expect(await textOf("test_image_content")).toBe("image");
    expect(await textOf("test_audio_content")).toBe("audio");
    expect(await textOf("test_embedded_resource")).toBe("resource");
    expect(await client.callTool({ name: "test_error_handling" })).toMatchObject({ isError: true });
  });

  test("questions to model and person are answered through the client", async () => {
    expect(await textOf("test_sampling", { prompt: "Capital of France?" })).toBe("LLM response: Paris");
    expect(await textOf("test_elicitation", { message: "Who?" })).toContain('"username":"Ida"');
    expect(await textOf("test_input_required_result_list_roots")).toContain("file:///home/test");
    expect(await textOf("test_input_required_result_multi_round")).toBe("Ida likes Ida.");
    expect(await textOf("test_input_required_result_request_state")).toBe("state-ok");
    const prompt = await client.getPrompt({ name: "test_input_required_result_prompt" });
    expect(prompt.messages[0]?.content).toMatchObject({ text: expect.stringContaining("Ida") });
  });

  test("progress is reported in order", async () => {
    // Heard on the wire: of progress that arrives in one piece with the result, the client's own handler hears nothing.
    const seen: unknown[] = [];
    const wire = client.transport!;
    const receive = wire.onmessage;
    wire.onmessage = (message, extra) => {
      if ("method" in message && message.method === "notifications/progress")
        seen.push(message.params?.progress);
      receive?.(message, extra);
    };
    await client.callTool({ name: "test_tool_with_progress" }, { onprogress: () => {} });
    wire.onmessage = receive;
    expect(seen).toEqual([0, 50, 100]);
  });

  test("work becomes a task that can be followed to its end", async () => {
    const args = { name: "slow_compute", arguments: { seconds: 0.2, label: "pi" } };
    const params = era === "modern" ? args : { ...args, task: { ttl: 60_000 } };
    const created = await requestTask(client, params);
    const taskId = (created.taskId ?? (created.task as { taskId: string }).taskId) as string;
    const task = await pollUntilSettled(client, taskId);
    const result =
      era === "modern"
        ? task.result
        : await client.request({ method: "tasks/result", params: { taskId } }, anything);
    expect(task.status).toBe("completed");
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining("pi") }] });
  });

  test("an unknown task is refused", async () => {
    const refusal = client.request({ method: "tasks/get", params: { taskId: "nope" } }, anything);
    await expect(refusal).rejects.toMatchObject({ code: ProtocolErrorCode.InvalidParams });
  });

  test("a change of the tools is announced, and the list then differs", async () => {
    const names = async () =>
      (await client.listTools(undefined, { cacheMode: "refresh" })).tools.map((tool) => tool.name);
    const announced = new Promise<void>((resolve) => {
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
    });
    if (era === "modern") await client.listen({ toolsListChanged: true });
    const before = (await names()).includes("test_extra_tool");
    await client.callTool({ name: "test_trigger_tool_change" });
    await announced;
    expect((await names()).includes("test_extra_tool")).toBe(!before);
  });

  test("a watched resource tells when it changes", async () => {
    const uri = "test://watched-resource";
    const announced = new Promise<string>((resolve) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri));
    });
    if (era === "modern") await client.listen({ resourceSubscriptions: [uri] });
    else await client.subscribeResource({ uri });
    await client.callTool({ name: "test_trigger_resource_change" });
    expect(await announced).toBe(uri);
  });
});

test("logs are sent at the level a session of the stateful era asked for", async () => {
  const client = await connectHttp(everything.url, "legacy");
  const messages: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params.data));
  await client.setLoggingLevel("debug");
  await client.callTool({ name: "test_tool_with_logging" });
  expect(messages).toHaveLength(3);
  await client.close();
});

test("a subscription to a task of the stateless era tells each of its states, tagged with the subscription", async () => {
  const client = await connectHttp(everything.url, "modern", OBLIGING);
  const created = await requestTask(client, { name: "confirm_delete", arguments: { filename: "a.txt" } });
  const taskId = created.taskId as string;
  const stop = new AbortController();
  const stream = await fetch(everything.url, {
    method: "POST",
    signal: stop.signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION.modern,
      "mcp-method": "subscriptions/listen",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "subscriptions/listen",
      params: {
        notifications: { taskIds: [taskId, "unknown"] },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": REVISION.modern,
          "io.modelcontextprotocol/clientCapabilities": OBLIGING.capabilities,
        },
      },
    }),
  });
  const frames = readFrames(stream.body!);
  expect((await frames.next()).value.params.notifications).toEqual({ taskIds: [taskId] });
  const inputResponses = { confirmation: { action: "accept", content: { confirm: true } } };
  await client.request({ method: "tasks/update", params: { taskId, inputResponses } }, anything);
  const states = [(await frames.next()).value, (await frames.next()).value];
  expect(states.map((frame) => frame.params.status)).toEqual(["working", "completed"]);
  expect(states[1].params).toMatchObject({
    result: { content: [{ text: "Deleted a.txt." }] },
    _meta: { "io.modelcontextprotocol/subscriptionId": 7 },
  });
  stop.abort();
  await client.close();
});

async function requestTask(client: Client, params: Record<string, unknown>) {
  // The typed client has no word for a task, so the call goes out as an extension method would.
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  const transport = client.transport!;
  const receive = transport.onmessage!;
  transport.onmessage = (message, extra) => {
    if ("result" in message && (message.result.taskId || message.result.task)) resolve(message.result);
    receive(message, extra);
  };
  void client.request({ method: "tools/call", params }, anything).catch(() => {});
  return promise;
}

async function pollUntilSettled(client: Client, taskId: string) {
  for (;;) {
    const task = await client.request({ method: "tasks/get", params: { taskId } }, anything);
    if (task.status !== "working") return task;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function* readFrames(body: ReadableStream<Uint8Array>) {
  let buffered = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
    buffered += chunk;
    const events = buffered.split("\n\n");
    buffered = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}

const CONTRACT = {
  tools: [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_error_handling",
    "test_tool_with_progress",
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_reconnection",
    "json_schema_2020_12_tool",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_logging_tool",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
    "greet",
    "slow_compute",
    "failing_job",
    "protocol_error_job",
    "confirm_delete",
    "multi_input",
    "test_tool_with_task",
  ],
  prompts: [
    "test_simple_prompt",
    "test_prompt_with_arguments",
    "test_prompt_with_embedded_resource",
    "test_prompt_with_image",
    "test_input_required_result_prompt",
  ],
  resources: ["test://static-text", "test://static-binary", "test://watched-resource"],
};
