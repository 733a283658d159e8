/** @module A model that does whatever anybody tells it: wherever in what it reads a call is written down, it makes that call. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ObedientModel {
  /** Makes it the service's own model. */
  env: { FETTLE_CONFIG: string };
  /** What was sent to it, the latest last. */
  requests: { messages: { role: string; content: unknown }[]; tools?: { function: { name: string } }[] }[];
  /** Asked before each answer; a number is the status of a refusal. */
  before: () => Promise<number | undefined> | number | undefined;
  /** One call in each answer, not all at once. */
  oneByOne: boolean;
  close(): Promise<void>;
}

interface Wanted {
  tool: string;
  arguments: object;
}

/** What makes it call a tool, to be put anywhere that it may read. */
export const order = (tool: string, given: object = {}) =>
  `<<call ${Buffer.from(JSON.stringify({ tool, arguments: given })).toString("base64url")}>>`;

const orders = /<<call ([\w-]+)>>/g;

function ordersIn(text: string): Wanted[] {
  return [...text.matchAll(orders)].map(([, code]) => JSON.parse(Buffer.from(code!, "base64url").toString()));
}

export async function startObedientModel(): Promise<ObedientModel> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", async () => {
      const send = (status: number, body: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      const body = JSON.parse(text);
      model.requests.push(body);
      const refusal = await model.before();
      if (refusal) return void send(refusal, { error: { message: "not now" } });
      send(200, completion(body.messages, model.oneByOne ? 1 : undefined));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "fettle-obedient-"));
  const config = join(folder, "fettle.yaml");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  writeFileSync(
    config,
    `models: { default: "custom:zero:obedient", providers: { custom: { zero: { baseUrl: "${baseUrl}", apiKey: none } } } }\n`,
  );
  const model: ObedientModel = {
    env: { FETTLE_CONFIG: config },
    requests: [],
    before: () => undefined,
    oneByOne: false,
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

function completion(
  messages: { role: string; content: unknown; tool_calls?: unknown[] }[],
  most: number | undefined,
): object {
  const asked = messages.flatMap(({ role, content }) =>
    role === "system" ? [] : ordersIn(JSON.stringify(content)),
  );
  const made = messages.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0);
  const next = asked.slice(made, most && made + most);
  const tool_calls = next.map((one, index) => ({
    id: `call_${made + index}`,
    type: "function",
    function: { name: one.tool, arguments: JSON.stringify(one.arguments) },
  }));
  const message = next.length > 0 ? { content: null, tool_calls } : { content: "I did as I was told." };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "obedient",
    choices: [
      {
        index: 0,
        message: { role: "assistant", ...message },
        finish_reason: next.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}
