import { startBookshop } from "@fettle/samples";
import { expect, test } from "vitest";
import { type HttpTarget, parseTarget, type StdioTarget } from "../target.ts";
import { serve } from "../testing/http-server.ts";
import { connect } from "./connect.ts";
import { openRawHttp, openRawStdio, rawHttpOf } from "./raw.ts";

const post = { accept: "application/json, text/event-stream", "content-type": "application/json" };

test("bytes go out untouched and the exact answer comes back", async () => {
  const shop = await startBookshop();
  const raw = openRawHttp(parseTarget({ url: shop.url }) as HttpTarget);
  const broken = await raw.exchange({ headers: post, body: '{"jsonrpc":"2.0",' });
  expect(broken).toMatchObject({ status: 400, mediaType: "application/json", ended: "complete" });
  expect(broken.messages[0]).toMatchObject({ kind: "error", error: { code: -32700 } });
  const mismatch = await raw.exchange({
    headers: { ...post, "mcp-protocol-version": "2026-07-28", "mcp-method": "prompts/list" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
  });
  expect(mismatch).toMatchObject({ status: 400 });
  expect(mismatch.messages[0]).toMatchObject({ error: { code: -32020 } });
  expect(raw.recorder.read().entries.filter((entry) => entry.kind === "http")).toHaveLength(2);
  await raw.close();
  await shop.close();
});

test("a forged Host header is sent as given", async () => {
  await using server = await serve((_request, response) => void response.end());
  const raw = openRawHttp(parseTarget({ url: server.origin }) as HttpTarget);
  await raw.exchange({ method: "GET", headers: { host: "evil.example", origin: "http://evil.example" } });
  expect(server.requests[0]!.headers).toMatchObject({ host: "evil.example", origin: "http://evil.example" });
  await raw.close();
});

test("a stream that stays open is watched for its window, or until the message wanted", async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(
      'id: 1\ndata: {"jsonrpc":"2.0","method":"a"}\n\nid: 2\ndata: {"jsonrpc":"2.0","method":"b"}\n\n',
    );
  });
  const raw = openRawHttp(parseTarget({ url: server.origin }) as HttpTarget);
  const windowed = await raw.exchange({ method: "GET", window: { totalMs: 300, idleMs: 100 } });
  expect(windowed).toMatchObject({ ended: "window", events: [{ id: "1" }, { id: "2" }] });
  const stopped = await raw.exchange({
    method: "GET",
    until: (message) => message.kind === "notification" && message.method === "a",
  });
  expect(stopped.ended).toBe("until");
  const head = await raw.exchange({ method: "GET", headOnly: true });
  expect(head).toMatchObject({ status: 200, mediaType: "text/event-stream", ended: "head-only" });
  await raw.close();
});

test("raw access over a live connection shares its recorder", async () => {
  const shop = await startBookshop();
  const connection = await connect(parseTarget({ url: shop.url }));
  const raw = await rawHttpOf(connection);
  expect((await raw.exchange({ method: "DELETE" })).status).toBeGreaterThanOrEqual(400);
  expect(raw.recorder).toBe(connection.recorder);
  await connection.close();
  await shop.close();
});

test("raw lines to a process, and what it says back", async () => {
  const args = [`${import.meta.dirname}/../testing/hostile-stdio.ts`, "banner"];
  const raw = await openRawStdio(parseTarget({ command: process.execPath, args }) as StdioTarget);
  await raw.write('{"jsonrpc":"2.0","id":"x","method":"ping"}\n');
  const pong = await raw.next((message) => message.kind === "result", { timeoutMs: 5_000 });
  expect(pong).toMatchObject({ id: "x" });
  expect(raw.heard.slice(0, 2).map((message) => message.kind)).toEqual(["malformed", "malformed"]);
  await expect(raw.next(() => false, { timeoutMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
  await raw.write("not json\n");
  expect((await raw.ended).code).toBe("PROCESS_EXITED");
  await expect(raw.next(() => false, { timeoutMs: 5_000 })).rejects.toMatchObject({ code: "PROCESS_EXITED" });
  await raw.close();
});
