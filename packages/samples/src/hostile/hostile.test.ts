import { isUtf8 } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { HOSTILE_SERVERS, hostileCommand, startHostile } from "../index.ts";

/** What came back for one request: over HTTP a response, over stdio whatever stands on stdout. */
interface Reply {
  status?: number;
  headers?: Headers;
  bytes: AsyncIterator<Uint8Array>;
}
type Ask = (method: string, params?: object) => Promise<Reply>;
type Proof = (ask: Ask, more: { url?: string; child?: ChildProcess }) => Promise<unknown>;

const PROOFS: Record<string, Proof> = {
  "huge-line": async (ask) => {
    const { bytes } = await ask("tools/list");
    expect(countOf(await read(bytes, 8 << 20), "\n")).toBe(0);
  },
  "endless-event": async (ask) => {
    const { bytes, headers } = await ask("tools/list");
    expect(headers?.get("content-type")).toBe("text/event-stream");
    expect((await read(bytes, 8 << 20)).indexOf("\n\n")).toBe(-1);
  },
  "gzip-bomb": async (ask) => {
    const { bytes, headers } = await ask("tools/list");
    expect(headers?.get("content-encoding")).toBe("gzip");
    expect((await read(bytes, 8 << 20)).length).toBeGreaterThan(8 << 20);
  },
  "million-keys": async (ask) => {
    const { result } = await message(await ask("tools/list"));
    expect(Object.keys(result).length).toBeGreaterThan(1_000_000);
  },
  "deep-nesting": async (ask) => {
    const line = await readLine((await ask("tools/list")).bytes);
    expect(countOf(line, "[")).toBeGreaterThan(200_000);
  },
  "giant-tool-list": async (ask) => {
    const { result } = await message(await ask("tools/list"));
    expect(result.tools).toHaveLength(100_000);
  },
  "cyclic-cursor": async (ask) => {
    const next = async (cursor?: string) =>
      (await message(await ask("tools/list", { cursor }))).result.nextCursor;
    expect([await next(), await next("a"), await next("b")]).toEqual(["a", "b", "a"]);
  },
  "endless-pages": async (ask) => {
    const seen = new Set<string>();
    for (let cursor: string | undefined, page = 0; page < 5; page += 1) {
      const { result } = await message(await ask("tools/list", { cursor }));
      cursor = result.nextCursor;
      seen.add(`${cursor} ${result.tools[0].name}`);
    }
    expect(seen.size).toBe(5);
  },
  "endless-progress": async (ask) => {
    const { bytes } = await ask("tools/call", { name: "echo", _meta: { progressToken: "p" } });
    const text = await readUntil(bytes, '"progressToken":"p","progress":3');
    expect(text).not.toContain('"result"');
  },
  "stderr-flood": async (ask, { child }) => {
    await read(child!.stderr![Symbol.asyncIterator](), 1 << 20);
    expect((await message(await ask("tools/list"))).result.tools).toHaveLength(1);
  },
  "giant-headers": (ask) => expect(ask("initialize")).rejects.toThrow(),
  "hang-at-connect": (ask) => expect(soon(ask("initialize"))).resolves.toBe("nothing yet"),
  "hang-at-initialize": async (ask) => {
    const { bytes } = await ask("initialize");
    expect(await soon(bytes.next())).toBe("nothing yet");
  },
  "hang-on-call": async (ask) => {
    expect((await message(await ask("tools/list"))).result.tools).toHaveLength(1);
    const { bytes } = await ask("tools/call", { name: "echo" });
    expect(await soon(bytes.next())).toBe("nothing yet");
  },
  "slow-drip": async (ask) => {
    const { bytes } = await ask("tools/list");
    expect((await read(bytes, 4)).toString()).toMatch(/^\{ +$/);
  },
  "sse-never-answers": async (ask) => {
    const { bytes } = await ask("initialize");
    expect((await read(bytes, 20)).toString().replaceAll(": keepalive\n\n", "")).toBe("");
  },
  "death-mid-call": async (ask, { child }) => {
    const { bytes } = await ask("tools/call", { name: "echo" });
    if (child) expect(await once(child, "exit")).toEqual([7, null]);
    else await expect(readAll(bytes)).rejects.toThrow();
  },
  "crash-at-start": async (_ask, { child }) => {
    const stderr = (await readAll(child!.stderr![Symbol.asyncIterator]())).toString();
    expect(stderr).toContain("Cannot find module");
    expect(child!.exitCode ?? (await once(child!, "exit"))[0]).toBe(1);
  },
  "ignores-shutdown": async (ask, { child }) => {
    await message(await ask("initialize"));
    child!.stdin!.end();
    child!.kill("SIGTERM");
    expect(await soon(once(child!, "exit"))).toBe("nothing yet");
  },
  "leaves-grandchild": async (ask, { child }) => {
    const { bytes } = await ask("ping");
    await readLine(bytes);
    child!.kill("SIGKILL");
    await once(child!, "exit");
    const end = readAll(bytes);
    expect(await soon(end)).toBe("nothing yet");
    process.kill(-child!.pid!, "SIGKILL");
    await end;
  },
  "wrong-ids": async (ask) => expect((await message(await ask("initialize"))).id).toMatch(/^not-/),
  "duplicate-answers": async (ask) => {
    const { bytes } = await ask("ping");
    const text = await readUntil(bytes, 'Changed my mind"}}');
    const [first, second] = [...text.matchAll(/\{.*\}/g)].map(([json]) => JSON.parse(json));
    expect(second.id).toBe(first.id);
    expect([first.result, second.error.code]).toEqual([{}, -32603]);
  },
  garbage: async (ask) => {
    const [first] = await readLine((await ask("initialize")).bytes);
    expect(first).toBe(0xff);
  },
  "noisy-stdout": async (ask) => {
    const text = await readUntil((await ask("ping")).bytes, "jsonrpc");
    expect(text).toMatch(/^Welcome to the noisy server!\n\[info\] ping\n\{"jsonrpc"/);
  },
  "version-mismatch": async (ask) =>
    expect((await message(await ask("initialize"))).result.protocolVersion).toBe("1999-01-01"),
  "unasked-requests": async (ask) => {
    const text = await readUntil((await ask("tools/call", { arguments: { text: "hi" } })).bytes, '"result"');
    for (const method of ["sampling/createMessage", "elicitation/create", "roots/list", "shell/run"]) {
      expect(text).toContain(`"method":"${method}"`);
    }
  },
  "rug-pull": async (ask) => {
    const description = async () => (await message(await ask("tools/list"))).result.tools[0].description;
    expect(await description()).not.toBe(await description());
  },
  "html-instead-of-json": async (ask) => {
    const { status, headers, bytes } = await ask("initialize");
    expect([status, headers?.get("content-type")]).toEqual([200, "text/html"]);
    expect((await readAll(bytes)).toString()).toContain("<!doctype html>");
  },
  "wrong-content-type": async (ask) => {
    const reply = await ask("initialize");
    expect(reply.headers?.get("content-type")).toBe("text/plain");
    expect((await message(reply)).result.protocolVersion).toBe("2025-11-25");
  },
  "no-content-type": async (ask) => {
    const reply = await ask("initialize");
    expect(reply.headers?.get("content-type")).toBeNull();
    expect((await message(reply)).result.protocolVersion).toBe("2025-11-25");
  },
  "not-found": async (ask) => expect((await ask("initialize")).status).toBe(404),
  "gateway-error": async (ask) => expect((await ask("initialize")).status).toBe(502),
  "unauthorized-without-metadata": async (ask, { url }) => {
    const { status, headers } = await ask("initialize");
    expect([status, headers?.get("www-authenticate")]).toEqual([401, null]);
    expect((await fetch(new URL("/.well-known/oauth-protected-resource/mcp", url))).status).toBe(404);
  },
  "unauthorized-with-metadata": async (ask, { url }) => {
    const { status, headers } = await ask("initialize");
    const pointer = /resource_metadata="([^"]+)"/.exec(headers?.get("www-authenticate") ?? "")?.[1];
    expect(status).toBe(401);
    expect(await (await fetch(pointer!)).json()).toMatchObject({ resource: url });
  },
  "session-amnesia": async (ask, { url }) => {
    const session = (await ask("initialize")).headers?.get("mcp-session-id");
    const again = await fetch(url!, { method: "POST", headers: { "mcp-session-id": session! }, body: "{}" });
    expect(again.status).toBe(404);
  },
  "redirect-to-metadata-address": redirects(/^http:\/\/169\.254\.169\.254\//),
  "redirect-to-private-address": redirects(/^http:\/\/10\.0\.0\.1\//),
  "redirect-loop": redirects(/^\/mcp$/),
  "batch-answers": async (ask) => expect(await message(await ask("ping"))).toMatchObject([{ result: {} }]),
  "log-undeclared": async (ask) => {
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect(text).toContain("notifications/message");
  },
  "progress-unasked": async (ask) => {
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect(text).toContain('"progressToken":"made-up"');
  },
  "not-utf8": async (ask) => expect(isUtf8(await readLine((await ask("tools/list")).bytes))).toBe(false),
  "byte-order-mark": async (ask) => {
    const first = await readLine((await ask("initialize")).bytes);
    expect([...first.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  },
  "stray-answer-first": async (ask) => {
    const text = await readUntil((await ask("ping")).bytes, '"id":1,');
    expect(text).toContain('"id":987654');
  },
  "answers-notifications": async (ask) => {
    await message(await ask("initialize"));
    const text = await readUntil((await ask("ping")).bytes, '"result":{}');
    expect(text).toContain("Method not found: notifications/initialized");
  },
  "text-ids": async (ask) => expect((await message(await ask("ping"))).id).toBe("1"),
  "no-newline": async (ask) => {
    const text = await readUntil((await ask("ping")).bytes, '"result":{}}');
    expect(text).not.toContain("\n");
  },
  "asks-while-listing": async (ask) => {
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect(text).toContain("sampling/createMessage");
  },
  "stateless-request": async (ask) => {
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect(text).toContain("roots/list");
  },
  "unknown-result-type": async (ask) =>
    expect((await message(await ask("tools/list"))).result.resultType).toBe("surprise"),
  "reply-events": async (ask) =>
    expect((await readAll((await ask("ping")).bytes)).toString()).toMatch(/^event: reply\ndata: \{/),
  "result-on-400": async (ask) => {
    const reply = await ask("ping");
    expect([reply.status, (await message(reply)).result]).toEqual([400, {}]);
  },
  "stream-left-open": async (ask) => {
    const { bytes } = await ask("ping");
    await readUntil(bytes, '"result":{}');
    expect(await soon(bytes.next())).toBe("nothing yet");
  },
  "moved-on-same-origin": redirects(/^\/mcp\/$/, 308),
  "moved-to-other-origin": redirects(/^http:\/\/localhost:\d+\/mcp$/),
  "drops-kept-sockets": async (_ask, { url }) => {
    const socket = connectTcp(Number(new URL(url!).port), "127.0.0.1");
    const asking = "GET /mcp HTTP/1.1\r\nhost: x\r\n\r\n";
    socket.write(asking);
    await once(socket, "data");
    socket.write(asking);
    await once(socket.resume(), "close");
  },
  "not-acceptable": async (ask) => expect((await ask("initialize")).status).toBe(406),
  "false-gzip": async (ask) => {
    const { bytes, headers } = await ask("ping");
    expect(headers?.get("content-encoding")).toBe("gzip");
    await expect(readAll(bytes)).rejects.toThrow();
  },
  "old-schemas": async (ask) => {
    const { tools } = (await message(await ask("tools/list"))).result;
    expect(tools[0].inputSchema.properties.count.exclusiveMinimum).toBe(true);
  },
  "twice-named": async (ask) => {
    const { tools } = (await message(await ask("tools/list"))).result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(["echo", "echo"]);
  },
  "odd-names": async (ask) =>
    expect((await message(await ask("tools/list"))).result.tools[1].name).toBe("echo a text"),
  "no-content": async (ask) =>
    expect((await message(await ask("tools/call", { name: "echo" }))).result.content).toBeUndefined(),
  "image-without-type": async (ask) =>
    expect((await message(await ask("tools/call", { name: "echo" }))).result.content).toEqual([
      { type: "image", data: "AA==" },
    ]),
  "system-role": async (ask) =>
    expect((await message(await ask("prompts/get", { name: "greet" }))).result.messages[0].role).toBe(
      "system",
    ),
  "pointer-without-address": async (ask) => {
    const { status, headers } = await ask("initialize");
    expect([status, headers?.get("www-authenticate")]).toEqual([
      401,
      'Bearer resource_metadata="metadata", scope="tools"',
    ]);
  },
  "list-changed-undeclared": async (ask) => {
    const { capabilities } = (await message(await ask("initialize"))).result;
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect([capabilities, text.includes("notifications/tools/list_changed")]).toEqual([{ tools: {} }, true]);
  },
  "notification-storm": async (ask) => {
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect(text.split("list_changed").length).toBe(1_001);
  },
  "notification-with-id": async (ask) => {
    const text = await readUntil((await ask("tools/list")).bytes, '"result"');
    expect(text).toContain('"method":"notifications/tools/list_changed","id":"n-1"');
  },
  "progress-falls": async (ask) => {
    const asked = await ask("tools/list", { _meta: { progressToken: "p" } });
    const text = await readUntil(asked.bytes, '"result"');
    expect(text).toMatch(/"progress":2.*"progress":1/s);
  },
  "progress-after-answer": async (ask) => {
    const asked = await ask("tools/list", { _meta: { progressToken: "p" } });
    const text = await readUntil(asked.bytes, "notifications/progress");
    expect(text).toMatch(/"result".*notifications\/progress/s);
  },
  "gzip-unlabeled": async (ask) => {
    const { bytes, headers } = await ask("tools/list");
    expect(headers?.get("content-encoding")).toBeNull();
    expect([...(await readAll(bytes)).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  },
  "json-as-events": async (ask) => {
    const reply = await ask("tools/list");
    expect(reply.headers?.get("content-type")).toBe("text/event-stream");
    expect((await message(reply)).result.tools).toHaveLength(1);
  },
  "event-not-ended": async (ask) =>
    expect((await readAll((await ask("tools/list")).bytes)).toString()).toMatch(/^data: \{.*\}\n$/),
  "long-content-length": async (ask) => {
    const { bytes, headers } = await ask("tools/list");
    const text = await readUntil(bytes, '"required":["text"]}}]}}');
    expect(Number(headers?.get("content-length"))).toBe(Buffer.byteLength(text) + 20);
  },
  "counted-sessions": async (ask) => {
    const id = async () => (await ask("initialize")).headers?.get("mcp-session-id");
    expect([await id(), await id()]).toEqual(["session-1", "session-2"]);
  },
  "shared-session": async (ask) => {
    const id = async () => (await ask("initialize")).headers?.get("mcp-session-id");
    expect(await id()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await id()).toBe(await id());
  },
  "resources-not-served": async (ask) => {
    const { capabilities } = (await message(await ask("initialize"))).result;
    expect(Object.keys(capabilities)).toEqual(["tools", "resources", "logging"]);
    for (const method of ["resources/list", "logging/setLevel"])
      expect((await message(await ask(method))).error.code).toBe(-32601);
  },
  "answers-on-stderr": async (ask, { child }) => {
    await ask("tools/list");
    const text = await readUntil(child!.stderr![Symbol.asyncIterator](), '"result"');
    expect(text).toContain('"name":"echo"');
  },
  "self-signed-certificate": async (_ask, { url }) =>
    expect(await certificateFault(url!)).toEqual({ code: "DEPTH_ZERO_SELF_SIGNED_CERT", expired: false }),
  "expired-certificate": async (_ask, { url }) =>
    expect(await certificateFault(url!)).toEqual({ code: "CERT_HAS_EXPIRED", expired: true }),
  "hostile-text": async (ask) => {
    const { result } = await message(await ask("tools/list"));
    const text = JSON.stringify(result);
    for (const sign of ["\\u001b[31m", "\u202E", "\u200B", "<script>", "Ignore all previous"]) {
      expect(text).toContain(sign);
    }
  },
  "hostile-urls": async (ask) => {
    const { result } = await message(await ask("tools/list"));
    expect(result.tools[0].icons[0].src).toMatch(/^javascript:/);
  },
  "malformed-tool": async (ask) => {
    const { tools } = (await message(await ask("tools/list"))).result;
    const good = tools.filter((tool: { name?: unknown; inputSchema?: unknown } | null) => {
      return typeof tool?.name === "string" && typeof tool.inputSchema === "object";
    });
    expect([good.length, tools.length]).toEqual([2, 7]);
  },
  "schema-bomb": async (ask) => {
    const { tools } = (await message(await ask("tools/list"))).result;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(
      expect.arrayContaining(["echo", "exploding", "circular", "backtracking", "remote", "deep"]),
    );
  },
  "broken-promises": async (ask) => {
    const { tools } = (await message(await ask("tools/list"))).result;
    expect(tools[0].outputSchema.properties.text.type).toBe("string");
    const { result } = await message(await ask("tools/call", { name: "echo" }));
    expect(result.structuredContent).toEqual({ text: 42 });
    await message(await ask("tools/call", { name: "turncoat" }));
    const turned = (await message(await ask("tools/list"))).result.tools;
    expect(tools.at(-1).name).toBe(turned.at(-1).name);
    expect(tools.at(-1).description).not.toBe(turned.at(-1).description);
  },
  "half-characters": async (ask) => {
    const { tools } = (await message(await ask("tools/list"))).result;
    for (const text of [
      tools[1].name,
      tools[1].description,
      Object.keys(tools[1].inputSchema.properties)[0],
    ]) {
      expect(text.isWellFormed()).toBe(false);
      expect(text).toContain("\0");
    }
    const { error } = await message(await ask("no/such/method"));
    expect(error.data.isWellFormed()).toBe(false);
    const { bytes } = await ask("tools/call", { name: "echo", arguments: { text: "x" } });
    expect(await readUntil(bytes, "structuredContent")).toContain("\\ud83d");
  },
};

const over = (transport: "http" | "stdio") =>
  HOSTILE_SERVERS.filter((server) => server.transports.includes(transport)).map((server) => server.name);

describe("over HTTP", () => {
  test.each(over("http"))("%s misbehaves as it says, and stops", async (name) => {
    const server = await startHostile(name);
    const stop = new AbortController();
    await PROOFS[name]!(askOverHttp(server.url, stop.signal), { url: server.url });
    stop.abort();
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });
});

describe.concurrent("over stdio", () => {
  test.each(over("stdio"))("%s misbehaves as it says, and stops", async (name) => {
    const { command, args } = hostileCommand(name);
    // A group of its own, so that whatever it starts can be ended with it.
    const child = spawn(command, args, { stdio: "pipe", detached: true });
    const exited = once(child, "exit");
    await PROOFS[name]!(askOverStdio(child), { child });
    child.stdin.end();
    child.stdout.destroy();
    if (name === "ignores-shutdown") child.kill("SIGKILL");
    await exited;
  });
});

test("every server has a proof, and every proof a server", () => {
  expect(Object.keys(PROOFS).sort()).toEqual(HOSTILE_SERVERS.map((server) => server.name).sort());
});

test("an unknown name and a transport that is not spoken are refused with the names there are", async () => {
  await expect(startHostile("nope")).rejects.toThrow(/There are: huge-line/);
  await expect(startHostile("crash-at-start")).rejects.toThrow(/speaks only stdio/);
});

test("the README lists the whole corpus", async () => {
  const rows = HOSTILE_SERVERS.map(
    ({ name, transports, does, failsAt, conclude }) =>
      `| \`${name}\` | ${transports.join(", ")} | ${does} | ${failsAt} | ${conclude} |`,
  );
  const readme = `# The hostile corpus

Small servers that do one thing wrong each, for clients to survive. Start one over HTTP with \`startHostile(name)\`, over
stdio with \`hostileCommand(name)\`, or by hand: \`node packages/samples/src/hostile/main.ts NAME [--port N]\`. Apart from their one
fault they are honest servers of revision 2025-11-25 (of 2026-07-28 where it says so) with a single tool, \`echo\`. "Fails at" is the first step a client cannot get past.

This file is written by \`hostile.test.ts\` (\`vitest run -u\`); change the entries, not the table.

| name | transports | what it does | fails at | what a good client concludes |
|---|---|---|---|---|
${rows.join("\n")}
`;
  await expect(readme).toMatchFileSnapshot("./README.md");
});

function askOverHttp(url: string, signal: AbortSignal): Ask {
  let id = 0;
  return async (method, params = {}) => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const {
      status,
      headers,
      body: stream,
    } = await fetch(url, { method: "POST", body, signal, redirect: "manual" });
    return { status, headers, bytes: (stream ?? new ReadableStream())[Symbol.asyncIterator]() };
  };
}

function askOverStdio(child: ChildProcess): Ask {
  let id = 0;
  const bytes = child.stdout![Symbol.asyncIterator]();
  return async (method, params = {}) => {
    id += 1;
    child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return { bytes };
  };
}

/** At least this many bytes. */
async function read(bytes: AsyncIterator<Uint8Array>, enough: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= enough; ) {
    const { value, done } = await bytes.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

async function readUntil(bytes: AsyncIterator<Uint8Array>, expected: string): Promise<string> {
  let text = "";
  while (!text.includes(expected)) {
    const { value, done } = await bytes.next();
    if (done) throw new Error(`The answer ended without ${expected}: ${text}`);
    text += Buffer.from(value).toString();
  }
  return text;
}

const readAll = (bytes: AsyncIterator<Uint8Array>) => read(bytes, Number.POSITIVE_INFINITY);

async function readLine(bytes: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await bytes.next();
    if (done) break;
    chunks.push(value);
    if (value.at(-1) === 10) break;
  }
  return Buffer.concat(chunks);
}

async function message({ bytes }: Reply) {
  return JSON.parse((await readLine(bytes)).toString());
}

function countOf(buffer: Buffer, character: string): number {
  let count = 0;
  for (let at = buffer.indexOf(character); at !== -1; at = buffer.indexOf(character, at + 1)) count += 1;
  return count;
}

/** That nothing comes can only be seen by waiting; half a second is long on loopback. */
function soon<T>(promise: Promise<T>): Promise<T | "nothing yet"> {
  promise.catch(() => {});
  return Promise.race([
    promise,
    new Promise<"nothing yet">((resolve) => setTimeout(resolve, 500, "nothing yet")),
  ]);
}

function redirects(target: RegExp, expected = 307): Proof {
  return async (ask) => {
    const { status, headers } = await ask("initialize");
    expect(status).toBe(expected);
    expect(headers?.get("location")).toMatch(target);
  };
}

async function certificateFault(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const code = String(socket.authorizationError);
  const expired = new Date(socket.getPeerCertificate().valid_to) < new Date();
  socket.destroy();
  return { code, expired };
}
