/** @module Arguments on their way to a tool and back, through the command and through the service: numbers digit by digit, and every key as it was written. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient } from "@fettle/contract/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { execFettle } from "../packages/cli/src/testing/process.ts";
import {
  makeKey,
  makeMember,
  makeOrganization,
  makeProject,
} from "../packages/service/src/testing/people.ts";
import { testService } from "../packages/service/src/testing/service.ts";

const args =
  '{"id":9007199254740993,"all":[18446744073709551615,-9223372036854775808,1],"deep":{"n":123456789012345678901234567890}}';
const tool =
  '{"name":"keep","inputSchema":{"type":"object","properties":{"id":{"type":"integer","maximum":18446744073709551615}}}}';
/** Each is a key like any other, to whoever reads JSON. */
const oddKeys =
  '{"__proto__":{"a":"1"},"constructor":{"prototype":{"b":2}},"deep":{"__proto__":[{"__proto__":3}]}}';
const oddWords = '{"__proto__":"a","constructor":"b"}';
const stack = new AsyncDisposableStack();
let url: string;
let home: string;

beforeAll(async () => {
  // By text, because whatever parses a number here could round it too.
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const [, id] = /"id":(\d+),"method"/.exec(body) ?? [];
    if (id === undefined) return response.writeHead(202).end();
    const [, given = "{}"] = /"arguments":(\{.*\})\}\}$/.exec(body) ?? [];
    const result = body.includes('"initialize"')
      ? '{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"exact","version":"1"}}'
      : body.includes('"tools/list"')
        ? `{"tools":[${tool}]}`
        : body.includes('"tools/call"')
          ? `{"content":[],"structuredContent":${given}}`
          : body.includes('"prompts/get"')
            ? `{"messages":[{"role":"user","content":{"type":"text","text":${JSON.stringify(given)}}}]}`
            : undefined;
    const answer = result ? `"result":${result}` : '"error":{"code":-32601,"message":"no"}';
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(`{"jsonrpc":"2.0","id":${id},${answer}}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  home = await mkdtemp(join(tmpdir(), "fettle-exact-"));
  stack.defer(() => rm(home, { recursive: true, force: true }));
});
afterAll(() => stack.disposeAsync());

test("through the command: arguments, result, schemas, for machines and for eyes", async () => {
  const call = ["tools", "call", "--url", url, "--tool-name", "keep", "--tool-args", args];
  const { stdout } = await execFettle([...call, "--format", "json"], { cwd: home });
  expect(stdout).toContain(`"structuredContent":${args}`);
  const human = await execFettle([...call, "--format", "human"], { cwd: home });
  expect(human.stdout).toContain("9007199254740993");
  expect(human.stdout).toContain("18446744073709551615, -9223372036854775808, 1");
  const list = await execFettle(["tools", "list", "--url", url, "--format", "json"], { cwd: home });
  expect(list.stdout).toContain(tool);
});

test("through the command: a key called __proto__ reaches the server, and comes back", async () => {
  const called = await execFettle(
    ["tools", "call", "--url", url, "--tool-name", "keep", "--tool-args", oddKeys, "--format", "json"],
    { cwd: home },
  );
  expect(called.stdout).toContain(`"structuredContent":${oddKeys}`);
  const prompt = await execFettle(
    ["prompts", "get", "--url", url, "--prompt-name", "p", "--prompt-args", oddWords, "--format", "json"],
    { cwd: home },
  );
  expect(prompt.stdout).toContain(JSON.stringify(oddWords));
});

test("through the service: in the answer, in its messages, and to a client that asks for them", async () => {
  await using service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  const { db } = service.app;
  const organization = await makeOrganization(db);
  const key = await makeKey(db, organization, await makeMember(db, organization, "member"));
  const projectId = await makeProject(db, organization);
  const servers = `/api/v1/projects/${projectId}/servers`;
  const made = await service.call(servers, {
    method: "POST",
    key,
    body: { name: "exact", transportType: "http", url },
  });
  const raw = await fetch(`${service.url}${servers}/${made.body.id}/tools/call?rpc=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: `{"toolName":"keep","parameters":${args}}`,
  });
  const answer = await raw.text();
  expect(answer).toContain(`"structuredContent":${args}`);
  expect(answer).toContain(`"arguments":${args}`);

  const send = async (path: string, body: string) => {
    const response = await fetch(`${service.url}${servers}/${made.body.id}/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
    return response.text();
  };
  const odd = await send("tools/call?rpc=true", `{"toolName":"keep","parameters":${oddKeys}}`);
  expect(odd).toContain(`"structuredContent":${oddKeys}`);
  expect(odd).toContain(`"arguments":${oddKeys}`);
  expect(await send("prompts/get", `{"promptName":"p","arguments":${oddWords}}`)).toContain(
    JSON.stringify(oddWords),
  );

  const client = createClient({ baseUrl: `${service.url}/api/v1`, key });
  const body = { toolName: "keep", parameters: JSON.parse(args) };
  const asked = await client.callTool({ projectId, serverId: made.body.id, body }, { exactNumbers: true });
  expect(JSON.stringify(asked.structuredContent)).toContain("9007199254740992");
  const listed = await client.listTools(
    { projectId, serverId: made.body.id, body: {} },
    { exactNumbers: true },
  );
  expect(JSON.stringify(listed.items[0]?.inputSchema)).toContain('"maximum":18446744073709551615');
});
