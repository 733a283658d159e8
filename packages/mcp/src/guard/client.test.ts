import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { isMcpError, type McpError } from "../failure.ts";
import { serve } from "../testing/http-server.ts";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "./client.ts";
import { hostedPolicy, localPolicy } from "./policy.ts";

const clients: HttpClient[] = [];
function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const made = createHttpClient({ policy: localPolicy, ...options });
  clients.push(made);
  return made;
}
afterEach(() => {
  for (const made of clients.splice(0)) made.close();
});

async function failureOf(attempt: Promise<unknown>): Promise<McpError> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isMcpError(error)) throw new Error(`expected an McpError, got ${String(error)}`);
  return error;
}

const get = (url: string) => ({ method: "GET", url });

// Each is a way to write this machine's own address.
const loopbackForms = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0177.0.0.1",
  "0x7f.0.0.1",
  "0x7f000001",
  "127.0.0.1.",
  "0.0.0.0",
  "0",
  "localhost",
  "LOCALHOST.",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::]",
  "１２７.0.0.1",
];

test.each(loopbackForms)("hosted mode does not reach this machine as %s", async (host) => {
  await using sentinel = await serve((_request, response) => void response.end("secret"));
  const failure = await failureOf(
    client({ policy: hostedPolicy }).request(get(`http://${host}:${sentinel.port}/`)),
  );
  // Some resolvers do not know `localhost.` at all.
  expect(host.endsWith("T.") ? ["BLOCKED_ADDRESS", "DNS_FAILED"] : ["BLOCKED_ADDRESS"]).toContain(
    failure.code,
  );
  expect(sentinel.connections()).toBe(0);
});

test.each([
  "169.254.169.254",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "100.100.100.200",
  "224.0.0.1",
  "[::ffff:a9fe:a9fe]",
])("no mode reaches %s", async (host) => {
  for (const policy of [hostedPolicy, localPolicy]) {
    const failure = await failureOf(client({ policy }).request(get(`http://${host}/latest/meta-data`)));
    expect(failure.code).toBe("BLOCKED_ADDRESS");
  }
});

test("local mode reaches this machine", async () => {
  await using server = await serve((_request, response) => void response.end("hello"));
  const response = await client().request(get(`http://localhost:${server.port}/`));
  expect(await response.text()).toBe("hello");
  expect(response.zone).toBe("loopback");
});

test("a name that answers publicly first and privately later is pinned to what was checked", async () => {
  await using sentinel = await serve((_request, response) => void response.end("secret"));
  let asked = 0;
  const rebinding = async () => {
    asked++;
    return asked === 1 ? [{ address: "192.0.2.1", family: 4 }] : [{ address: "127.0.0.1", family: 4 }];
  };
  const guarded = client({
    policy: { mode: "hosted", exceptions: ["192.0.2.1"] },
    resolve: rebinding,
    timeouts: { connectMs: 100 },
  });
  // The first answer is allowed (and leads nowhere); the name is not asked a second time for the same connection.
  const first = await failureOf(guarded.request(get(`http://rebind.example:${sentinel.port}/`)));
  expect(["TIMEOUT", "CONNECTION_REFUSED", "NETWORK"]).toContain(first.code);
  expect(asked).toBe(1);
  expect((await failureOf(guarded.request(get(`http://rebind.example:${sentinel.port}/`)))).code).toBe(
    "BLOCKED_ADDRESS",
  );
  expect(sentinel.connections()).toBe(0);
});

test("one forbidden address among several forbids the name", async () => {
  await using sentinel = await serve((_request, response) => void response.end());
  const mixed = async () => [
    { address: "1.1.1.1", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  const failure = await failureOf(
    client({ policy: hostedPolicy, resolve: mixed }).request(get(`http://mixed.example:${sentinel.port}/`)),
  );
  expect(failure.code).toBe("BLOCKED_ADDRESS");
  expect(sentinel.connections()).toBe(0);
});

test("an operator's exception opens an address, and a listed name opens private ones but never metadata", async () => {
  await using server = await serve((_request, response) => void response.end("inside"));
  const byAddress = client({ policy: { mode: "hosted", exceptions: ["127.0.0.0/8"] } });
  expect(await (await byAddress.request(get(server.origin))).text()).toBe("inside");
  const resolve = async (name: string) => [
    { address: name.startsWith("meta") ? "169.254.169.254" : "127.0.0.1", family: 4 },
  ];
  const byName = client({ policy: { mode: "hosted", exceptions: ["*.corp.example"] }, resolve });
  expect(await (await byName.request(get(`http://mcp.corp.example:${server.port}/`))).text()).toBe("inside");
  expect((await failureOf(byName.request(get("http://meta.corp.example/")))).code).toBe("BLOCKED_ADDRESS");
});

test("a redirect is checked like any other address", async () => {
  await using sentinel = await serve((_request, response) => void response.end("secret"));
  await using entry = await serve((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${sentinel.port}/` }).end();
  });
  // The entry stands for a public server: its name resolves to an allowed exception, its target does not.
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const guarded = client({ policy: { mode: "hosted", exceptions: ["entry.example"] }, resolve });
  const failure = await failureOf(guarded.request(get(`http://entry.example:${entry.port}/`)));
  expect(failure.code).toBe("BLOCKED_ADDRESS");
  expect(sentinel.connections()).toBe(0);
});

test("a URL supplied by a public server does not reach this machine, even in local mode", async () => {
  await using sentinel = await serve((_request, response) => void response.end("secret"));
  const failure = await failureOf(client().request({ ...get(sentinel.origin), suppliedFrom: "public" }));
  expect(failure.code).toBe("BLOCKED_ADDRESS");
  expect(sentinel.connections()).toBe(0);
});

test("a kept-alive socket is not lent to a request with less right", async () => {
  await using server = await serve((_request, response) => void response.end("ok"));
  const guarded = client();
  await (await guarded.request(get(server.origin))).text();
  const failure = await failureOf(guarded.request({ ...get(server.origin), suppliedFrom: "public" }));
  expect(failure.code).toBe("BLOCKED_ADDRESS");
  expect(server.requests).toHaveLength(1);
});

/** On a thread of its own, so that it goes on while this one is held up. It closes a socket 200 ms after its answer. */
const impatientServer = `
  const { createServer } = require("node:net");
  const { parentPort } = require("node:worker_threads");
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok");
      setTimeout(() => socket.end(), 200);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

test("a call with effects is not sent into a socket that closed while this process had no time to notice", async () => {
  const server = new Worker(impatientServer, { eval: true });
  onTestFinished(() => server.terminate().then(() => {}));
  const [port] = await once(server, "message");
  const post = { method: "POST", url: `http://127.0.0.1:${port}/`, body: "hi" };
  const patient = client();
  expect(await (await patient.request(post)).text()).toBe("ok");
  // The socket goes back to its pool a moment after the text.
  await new Promise((resolve) => setImmediate(resolve));
  // What a busy machine does to a process: it stands still, and with it whatever would hear of the closing.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  expect(await (await patient.request(post)).text()).toBe("ok");
});

test("a server that closes kept sockets under a request gets a new one for each from then on", async () => {
  const answers = new Map<Socket, number>();
  const server = createTcpServer((socket) => {
    answers.set(socket, 0);
    socket.on("error", () => {});
    socket.on("data", () => {
      const before = answers.get(socket) ?? 0;
      answers.set(socket, before + 1);
      // The second request on a socket is what closes it.
      if (before > 0) return socket.destroy();
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const patient = client();
  for (const _ of [1, 2, 3, 4]) {
    expect(await (await patient.request(get(`http://127.0.0.1:${port}/`))).text()).toBe("ok");
    await new Promise((resolve) => setImmediate(resolve));
  }
  // The second request met the closed socket and went over a new one; the others asked for their own at once.
  expect([...answers.values()]).toEqual([2, 1, 1, 1]);
});

test("credentials stay behind when a redirect leaves the origin", async () => {
  await using elsewhere = await serve((_request, response) => void response.end("there"));
  await using entry = await serve((request, response) => {
    const location = request.url === "/away" ? `${elsewhere.origin}/` : "/near";
    if (request.url === "/near") response.end("here");
    else response.writeHead(307, { location }).end();
  });
  const headers = {
    authorization: "Bearer secret",
    cookie: "a=b",
    "x-api-key": "k",
    "mcp-session-id": "s",
    accept: "application/json",
  };
  await (await client().request({ ...get(`${entry.origin}/away`), headers })).text();
  const received = elsewhere.requests[0]!.headers;
  expect(received.accept).toBe("application/json");
  expect([
    received.authorization,
    received.cookie,
    received["x-api-key"],
    received["mcp-session-id"],
  ]).toEqual([undefined, undefined, undefined, undefined]);
  await (await client().request({ ...get(`${entry.origin}/stay`), headers })).text();
  expect(entry.requests.at(-1)!.headers.authorization).toBe("Bearer secret");
});

test("a POST follows 307 with its body and refuses 302", async () => {
  await using server = await serve((request, response, body) => {
    if (request.url === "/new") response.end(body);
    else response.writeHead(request.url === "/307" ? 307 : 302, { location: "/new" }).end();
  });
  const post = (path: string) =>
    client().request({ method: "POST", url: `${server.origin}${path}`, body: "hi" });
  expect(await (await post("/307")).text()).toBe("hi");
  const failure = await failureOf(post("/302"));
  expect(failure.code).toBe("REDIRECT");
  expect(failure.hint).toContain("/new");
});

test("a circle of redirects ends", async () => {
  await using server = await serve(
    (_request, response) => void response.writeHead(302, { location: "/" }).end(),
  );
  expect((await failureOf(client().request(get(server.origin)))).code).toBe("REDIRECT");
  expect(server.requests).toHaveLength(6);
});

test.each(["ftp://example.com/", "file:///etc/passwd", "http://user:pw@example.com/", "nonsense"])(
  "%s is not a URL to fetch",
  async (url) => {
    expect((await failureOf(client().request(get(url)))).code).toBe("BAD_TARGET");
  },
);

test("each wait has its own limit and says which ran out", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/silent") return;
    response.writeHead(200);
    response.write("x");
    if (request.url === "/drip") {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    }
  });
  const phase = async (path: string, timeouts: HttpClientOptions["timeouts"]) => {
    const attempt = client({ timeouts: timeouts ?? {} })
      .request(get(`${server.origin}${path}`))
      .then((response) => response.text());
    const failure = await failureOf(attempt);
    expect(failure.code).toBe("TIMEOUT");
    return failure.details.phase;
  };
  expect(await phase("/silent", { firstByteMs: 50 })).toBe("first-byte");
  expect(await phase("/rest", { idleMs: 50 })).toBe("idle");
  expect(await phase("/drip", { totalMs: 150 })).toBe("total");
  // A request's own limit counts before its client's.
  const own = client().request({ ...get(`${server.origin}/silent`), timeouts: { firstByteMs: 50 } });
  expect((await failureOf(own)).details).toMatchObject({ phase: "first-byte", timeoutMs: 50 });
});

test("an endless body stops at its cap", async () => {
  let sent = 0;
  await using server = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536))) break;
      }
    };
    response.on("drain", more);
    more();
  });
  const failure = await failureOf(
    client()
      .request({ ...get(server.origin), maxBodyBytes: 1_000_000 })
      .then((response) => response.text()),
  );
  expect(failure.code).toBe("TOO_LARGE");
  expect(sent).toBeLessThan(32_000_000);
});

test("a small body that unpacks into a huge one stops at its cap", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  const failure = await failureOf(
    client()
      .request({ ...get(server.origin), maxBodyBytes: 1_000_000 })
      .then((response) => response.text()),
  );
  expect(failure.code).toBe("TOO_LARGE");
});

test("compressed bodies are read although identity was asked for", async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("unpacked"));
  });
  expect(await (await client().request(get(server.origin))).text()).toBe("unpacked");
  expect(server.requests[0]!.headers["accept-encoding"]).toBe("identity");
});

test("too many header bytes are refused", async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "x-long": "a".repeat(60_000) }).end();
  });
  expect((await failureOf(client().request(get(server.origin)))).code).toBe("TOO_LARGE");
});

test.each([
  [32_000, 200],
  [33_000, "TOO_LARGE"],
])("response headers may have 32 KiB: %i bytes of one are answered with %s", async (bytes, answer) => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "x-long": "a".repeat(bytes) }).end();
  });
  const attempt = client().request(get(server.origin));
  expect(answer === 200 ? (await attempt).status : (await failureOf(attempt)).code).toBe(answer);
});

test("a body may be as large as its cap, and not a byte more", async () => {
  await using server = await serve((_request, response) => void response.end("x".repeat(1_000)));
  const read = async (maxBodyBytes: number) =>
    (await client().request({ ...get(server.origin), maxBodyBytes })).text();
  expect(await read(1_000)).toHaveLength(1_000);
  expect(await failureOf(read(999))).toMatchObject({ code: "TOO_LARGE", details: { limit: 999 } });
});

test("network faults have their own codes", async () => {
  const closed = createTcpServer();
  closed.listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  expect((await failureOf(client().request(get(`http://127.0.0.1:${port}/`)))).code).toBe(
    "CONNECTION_REFUSED",
  );
  expect((await failureOf(client().request(get("http://no-such-host.invalid/")))).code).toBe("DNS_FAILED");

  const rude = createTcpServer((socket) => socket.on("data", () => socket.destroy()));
  const chatty = createTcpServer((socket) => socket.on("data", () => socket.end("220 smtp ready\r\n")));
  for (const server of [rude, chatty]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const url = (server: typeof rude) => `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  expect((await failureOf(client().request(get(url(rude))))).code).toBe("CONNECTION_RESET");
  expect((await failureOf(client().request(get(url(chatty))))).code).toBe("HTTP_PROTOCOL");
  const plain = await failureOf(client().request(get(url(chatty).replace("http:", "https:"))));
  expect(plain.code).toBe("TLS_FAILED");
  expect(plain.message).toContain("does not speak TLS");
  rude.close();
  chatty.close();
});

test("an abort ends the exchange with its reason", async () => {
  await using server = await serve(() => {});
  const stop = new AbortController();
  const attempt = client().request({ ...get(server.origin), signal: stop.signal });
  await once(server.server, "request");
  stop.abort();
  expect((await failureOf(attempt)).code).toBe("ABORTED");
});

test("sockets are kept for the next request", async () => {
  await using server = await serve((_request, response) => void response.end("ok"));
  const kept = client();
  for (let at = 0; at < 3; at++) await (await kept.request(get(server.origin))).text();
  expect(server.connections()).toBe(1);
});

test.each([
  ["with a protocol of its own", "Upgrade: websocket\r\nConnection: Upgrade\r\n"],
  ["without a word which", ""],
])("an answer that switches protocols %s, which nobody asked for, is no HTTP", async (_, headers) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const failure = await failureOf(client().request(get(`http://127.0.0.1:${port}/`)));
  expect([failure.code, failure.message]).toEqual([
    "HTTP_PROTOCOL",
    expect.stringContaining("switches to another protocol"),
  ]);
  server.close();
});
