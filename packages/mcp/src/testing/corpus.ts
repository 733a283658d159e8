/** @module Conversations with the official SDK's server, recorded once and replayed for ever: our side must not change unnoticed, theirs must stay readable. */
import { readFileSync, writeFileSync } from "node:fs";
import { request as forward } from "node:http";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { serve, type TestServer } from "./http-server.ts";

export interface Exchange {
  request: { method: string; headers: Record<string, string>; body?: JsonObject };
  response: { status: number; headers: Record<string, string>; body: string };
}

export interface Conversation {
  /** The server that was recorded. */
  server: string;
  protocolVersion: string;
  exchanges: Exchange[];
}

const folder = `${import.meta.dirname}/../../corpus`;

export const loadConversation = (name: string): Conversation =>
  JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")) as Conversation;

export const saveConversation = (name: string, conversation: Conversation): void =>
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(conversation, null, 1)}\n`);

/** Stands between a client and a real server and writes down both sides. */
export async function recordingProxy(target: string): Promise<TestServer & { exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const proxy = await serve(async (request, response, body) => {
    const answer = await send(target, request.method ?? "", request.headers, body);
    exchanges.push({
      request: {
        method: request.method ?? "",
        headers: telling(request.headers),
        ...(body !== "" && { body: JSON.parse(body) as JsonObject }),
      },
      response: { status: answer.status, headers: telling(answer.headers), body: answer.body },
    });
    response.writeHead(answer.status, telling(answer.headers)).end(answer.body);
  });
  return { ...proxy, exchanges };
}

/** Answers as recorded, and notes every request that differs from the recorded one. */
export async function replay(
  conversation: Conversation,
): Promise<TestServer & { heard: Exchange["request"][] }> {
  const heard: Exchange["request"][] = [];
  const left = [...conversation.exchanges];
  const server = await serve((request, response, body) => {
    heard.push({
      method: request.method ?? "",
      headers: telling(request.headers),
      ...(body !== "" && { body: JSON.parse(body) as JsonObject }),
    });
    const recorded = left.shift()?.response ?? { status: 500, headers: {}, body: "" };
    response.writeHead(recorded.status, recorded.headers).end(recorded.body);
  });
  return { ...server, heard };
}

/** The headers that belong to MCP; the rest is the business of HTTP. */
function telling(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const names = Object.keys(headers).filter((name) =>
    /^(accept|content-type|last-event-id|mcp-.*)$/.test(name),
  );
  return Object.fromEntries(names.sort().map((name) => [name, String(headers[name])]));
}

function send(
  target: string,
  method: string,
  headers: Record<string, string | string[] | undefined>,
  body: string,
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = forward(target, { method, headers: telling(headers) }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
