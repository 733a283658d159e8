import { startBookshop, startEverything } from "@fettle/samples";
import { expect, test } from "vitest";
import { isMcpError } from "../failure.ts";
import { parseTarget } from "../target.ts";
import { loadConversation, recordingProxy, replay, saveConversation } from "../testing/corpus.ts";
import { connect } from "./connect.ts";
import type { Connection } from "./connection.ts";

/** What is said in each conversation; the outcome is compared between the recording and its replay. */
async function converse(connection: Connection): Promise<unknown> {
  const tools = await connection.listTools();
  const resources = await connection.listResources();
  const templates = await connection.listResourceTemplates();
  const prompts = await connection.listPrompts();
  const first = resources.items[0];
  const failed = await connection.callTool("no_such_tool").catch((error: unknown) => error);
  return {
    serverInfo: connection.serverInfo,
    version: connection.protocolVersion,
    names: [...tools.items, ...prompts.items].map((item) => item.name),
    uris: [...resources.items, ...templates.items].map((item) => item.uri ?? item.uriTemplate),
    problems: [...tools.problems, ...prompts.problems, ...resources.problems],
    read: first && (await connection.readResource(first.uri)),
    failed: isMcpError(failed) ? { code: failed.code, rpcCode: failed.details.rpcCode } : failed,
    alive: (await connection.ping()).result,
  };
}

const conversations = [
  ["bookshop-2025-06-18", startBookshop, "2025-06-18"],
  ["bookshop-2025-11-25", startBookshop, "2025-11-25"],
  ["bookshop-2026-07-28", startBookshop, "2026-07-28"],
  ["everything-2025-11-25", startEverything, "2025-11-25"],
  ["everything-2026-07-28", startEverything, "2026-07-28"],
] as const;

// Record anew with: RECORD_CORPUS=1 vitest run packages/mcp/src/session/corpus.test.ts
test.runIf(process.env.RECORD_CORPUS).each(conversations)(
  "record %s",
  async (name, start, protocolVersion) => {
    const server = await start();
    await using proxy = await recordingProxy(server.url);
    const connection = await connect(parseTarget({ url: proxy.origin }), { protocolVersion });
    await converse(connection);
    await connection.close();
    saveConversation(name, {
      server: "@modelcontextprotocol/server 2.4.0",
      protocolVersion,
      exchanges: proxy.exchanges,
    });
    await server.close();
  },
);

test.each(conversations)(
  "%s: we say what we said, and understand what was answered",
  async (name, _start, protocolVersion) => {
    const conversation = loadConversation(name);
    await using server = await replay(conversation);
    const connection = await connect(parseTarget({ url: server.origin }), { protocolVersion });
    const outcome = await converse(connection);
    await connection.close();
    expect(server.heard).toEqual(conversation.exchanges.map((exchange) => exchange.request));
    await expect(JSON.stringify(outcome, null, 1)).toMatchFileSnapshot(`../../corpus/${name}.outcome.txt`);
    expect(connection.problems).toEqual([]);
  },
);
