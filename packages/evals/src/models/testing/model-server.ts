/**
 * @module A model provider on loopback that speaks the wires of OpenAI, Anthropic, Google and those who speak OpenAI's for real, streamed or not, and
 * says what a test wrote down. It holds callers to the rules that the real ones hold them to.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicWire } from "./anthropic-wire.ts";
import { compatibleWires } from "./compatible-wires.ts";
import { googleWire } from "./google-wire.ts";
import type { ModelWire, Spoken } from "./model-wire.ts";
import { openAiWire } from "./openai-wire.ts";
import { responsesWire } from "./responses-wire.ts";

export type Act =
  | Spoken
  | { kind: "status"; status: number; headers?: Record<string, string>; words?: string }
  /** Exactly this, whatever the wire. */
  | { kind: "body"; status: number; body: unknown }
  /** Exactly this, said to be JSON. */
  | { kind: "text"; status: number; text: string }
  /** Takes the request and never answers. */
  | { kind: "hang" }
  /** Begins to answer, then the line goes dead. */
  | { kind: "cut" }
  /** Ends a stream properly on the wire, but before the answer's end. */
  | { kind: "short" }
  | { kind: "page" };

const wires: ModelWire[] = [...compatibleWires, responsesWire, openAiWire, anthropicWire, googleWire];

export interface ModelServer extends AsyncDisposable {
  origin: string;
  requests: { path: string; headers: IncomingMessage["headers"]; body: Record<string, unknown> }[];
  /** Those it takes; `testKey` from the start. */
  keys: Set<string>;
  /** Those it lists, whoever it is asked as. */
  models: string[];
  /** Adds to what will be done, in turn; after the last one it says "done". */
  will(...acts: Act[]): void;
  /** The same for requests in which this is said, whatever else is asked meanwhile. */
  willWhen(said: string, ...acts: Act[]): void;
  kill(): Promise<void>;
}

export const testKey = "sk-test-canary-4f1d9a";

export async function startModelServer(...script: Act[]): Promise<ModelServer> {
  const acts = [...script];
  const scripts = new Map<string, Act[]>();
  const requests: ModelServer["requests"] = [];
  const keys = new Set([testKey]);
  const models: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const body = text === "" ? {} : JSON.parse(text);
    const url = new URL(request.url ?? "/", "http://stub");
    requests.push({ path: url.pathname, headers: request.headers, body });
    if (request.method === "GET" && url.pathname.endsWith("/models")) {
      // All of them list at the same path; the header with the key tells who is asked.
      const lister = wires.find((candidate) => keys.has(candidate.key(request.headers) ?? ""));
      if (!lister) return json(response, 401, { error: { message: "Incorrect API key" } });
      if (lister === anthropicWire && request.headers["anthropic-version"] === undefined)
        return json(response, 400, lister.error(400, "anthropic-version: header is required"));
      return json(response, 200, lister.list(models));
    }
    const wire = wires.find((candidate) => candidate.matches(url, body));
    if (!wire) return json(response, 404, { error: { message: `no such path ${url.pathname}` } });
    if (!keys.has(wire.key(request.headers) ?? "")) {
      const status = wire.wrongKeyStatus ?? 401;
      return json(
        response,
        status,
        wire.error(status, `Incorrect API key provided: ${wire.key(request.headers)}`),
      );
    }
    const refusal = wire.refuse(body);
    if (refusal !== undefined) return json(response, 400, wire.error(400, refusal));
    const [, own] = [...scripts].find(([said]) => text.includes(said)) ?? [];
    perform(
      (own ?? acts).shift() ?? { kind: "answer", text: "done" },
      wire,
      wire.matches(url, body)!.streams,
      response,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const kill = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    keys,
    models,
    will: (...more) => acts.push(...more),
    willWhen: (said, ...more) => scripts.set(said, more),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function perform(act: Act, wire: ModelWire, streams: boolean, response: ServerResponse): void {
  if (act.kind === "hang") return;
  if (act.kind === "page") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<html>Welcome to the gateway</html>");
  } else if (act.kind === "body") {
    json(response, act.status, act.body);
  } else if (act.kind === "text") {
    response.writeHead(act.status, { "content-type": "application/json" });
    response.end(act.text);
  } else if (act.kind === "status") {
    json(response, act.status, wire.error(act.status, act.words ?? "as told"), act.headers);
  } else if (streams) {
    stream(act, wire, response);
  } else if (act.kind === "answer") {
    json(response, 200, wire.whole(act));
  } else {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
    response.write(JSON.stringify(wire.whole({ kind: "answer", text: "half" })).slice(0, 40), () =>
      response.destroy(),
    );
  }
}

function stream(
  act: Extract<Act, { kind: "answer" | "cut" | "short" }>,
  wire: ModelWire,
  response: ServerResponse,
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = wire.events(act.kind === "answer" ? act : { kind: "answer", text: "half an answer" });
  const sent = act.kind === "answer" ? events : events.slice(0, Math.ceil(events.length / 2));
  for (const { event, data } of sent) {
    const name = event === undefined ? "" : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  if (act.kind === "cut") response.write(": still here\n\n", () => response.destroy());
  else response.end();
}
