/** @module Speaks MCP for a computer, inside this process: to a model its tools are those of a server, recorded and bounded like any other's. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { duplexPair } from "node:stream";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import type { NetworkPolicy } from "@fettle/mcp";
import { z } from "zod";
import { version } from "../../core/version.ts";
import { LimitMet } from "../engine/exec-limits.ts";
import { type Computer, computerTools } from "./tools.ts";

/** Names a place that no network leads to: everything goes through `dial`. */
export const computerUrl = "http://computer.invalid/mcp";

const Request = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const Initialize = z.looseObject({ protocolVersion: z.string() });
const Call = z.looseObject({ name: z.string(), arguments: z.looseObject({}).default({}) });

export interface ServedComputer {
  dial: NonNullable<NetworkPolicy["dial"]>;
  close(): void;
}

export function serveComputer(computer: Computer): ServedComputer {
  const server = createServer((request, response) => {
    answer(computer, request, response).catch(() => response.destroy());
  });
  return {
    dial: () => {
      const [ours, theirs] = duplexPair();
      server.emit("connection", theirs);
      return ours;
    },
    close: () => server.closeAllConnections(),
  };
}

async function answer(computer: Computer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const gone = new AbortController();
  response.once("close", () => gone.abort(new Error("whoever asked is gone")));
  const message = Request.safeParse(await readJson(request));
  if (!message.success) return void response.writeHead(400).end();
  const { id, method, params = {} } = message.data;
  if (id === undefined) return void response.writeHead(202).end();
  const said = await resultOf(computer, method, params, gone.signal);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }));
}

async function resultOf(computer: Computer, method: string, params: object, signal: AbortSignal) {
  switch (method) {
    case "initialize": {
      const { protocolVersion } = Initialize.parse(params);
      const serverInfo = { name: "computer", title: "Computer", version };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: computerTools.map((tool) => shown(tool, computer)) } };
    case "tools/call":
      return callTool(computer, params, signal);
    default:
      return { error: { code: -32601, message: `There is no method ${method}.` } };
  }
}

function shown({ name, description, input, isReadOnly }: (typeof computerTools)[number], { told }: Computer) {
  return {
    name,
    description: name === "run_command" && told !== "" ? `${description}\n\n${told}` : description,
    inputSchema: z.toJSONSchema(input),
    annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, openWorldHint: false },
  };
}

async function callTool(computer: Computer, params: object, signal: AbortSignal) {
  const { name, arguments: given } = Call.parse(params);
  const tool = computerTools.find((one) => one.name === name);
  if (!tool) return { error: { code: -32602, message: `There is no tool ${name}.` } };
  const args = tool.input.safeParse(given);
  if (!args.success) return failed(z.prettifyError(args.error));
  try {
    const { text, isError } = await tool.call(computer, args.data, signal);
    return { result: { content: [{ type: "text", text }], isError } };
  } catch (error) {
    if (error instanceof LimitMet) return failed(error.message);
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const failed = (text: string) => ({ result: { content: [{ type: "text", text }], isError: true } });

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > sandboxLimits.computerTools.requestBytes) throw new Error("The request is too large.");
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}
