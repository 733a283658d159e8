/**
 * Servers whose answers are right and whose wire is not: how messages are packed, marked, numbered, announced and sent.
 * @module
 */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { ECHO, honestMessage, honestStatelessMessage } from "./honest.ts";
import { type Answer, type HostileServer, type Misbehaviour, on, type RpcRequest } from "./hostile-server.ts";

const BOTH: HostileServer["transports"] = ["stdio", "http"];
const HTTP: HostileServer["transports"] = ["http"];

export const WIRE_FAULTS: HostileServer[] = [
  {
    name: "batch-answers",
    transports: BOTH,
    does: "Puts every answer into an array, as if it were a batch.",
    failsAt: "nowhere",
    conclude: "Say that only 2025-03-26 has batches, and that other clients wait in vain.",
    behave: () => ({ answer: (request) => ({ kind: "message", message: [honestMessage(request)] }) }),
  },
  {
    name: "log-undeclared",
    transports: BOTH,
    does: "Sends log messages before its answers without declaring logging.",
    failsAt: "nowhere",
    conclude: "Take the answers, and say that the capability is missing.",
    behave: before(() => notification("notifications/message", { level: "info", data: "Hello." })),
  },
  {
    name: "progress-unasked",
    transports: BOTH,
    does: "Reports progress for a token that nobody gave.",
    failsAt: "nowhere",
    conclude: "Ignore it, and say that the token is unknown.",
    behave: before(() => notification("notifications/progress", { progressToken: "made-up", progress: 1 })),
  },
  {
    name: "not-utf8",
    transports: BOTH,
    does: "Encodes its texts as Latin-1.",
    failsAt: "nowhere",
    conclude: "Show what can be read, and say that the bytes are not UTF-8.",
    behave: () =>
      on("tools/list", ({ id }) => {
        const tools = [{ ...ECHO, description: "Répète un texte." }];
        return bytes(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }), "latin1"));
      }),
  },
  {
    name: "byte-order-mark",
    transports: BOTH,
    does: "Begins its first message with a byte order mark.",
    failsAt: "nowhere",
    conclude: "Read on, and say that a strict parser loses the message.",
    behave: () => {
      let isFirst = true;
      return {
        answer(request) {
          // The first that is asked of each client: over HTTP many may come.
          const isMarked = isFirst || request.method === "initialize";
          isFirst = false;
          return isMarked ? bytes(`\uFEFF${JSON.stringify(honestMessage(request))}`) : undefined;
        },
      };
    },
  },
  {
    name: "stray-answer-first",
    transports: BOTH,
    does: "Before each answer, sends one to a request that was never made.",
    failsAt: "nowhere",
    conclude: "Take the right answer, and say that another came unasked.",
    behave: before(() => ({ jsonrpc: "2.0", id: 987_654, result: {} })),
  },
  {
    name: "answers-notifications",
    transports: BOTH,
    does: "Answers the notification that ends the handshake, with an error without an id, when it is next asked something.",
    failsAt: "nowhere",
    conclude: "Leave the error to no request, take the right answers, and say that the error has no id.",
    behave: () => {
      let owed = false;
      return {
        answer(request) {
          const isFirst = owed;
          owed = request.method === "initialize";
          const message = "Method not found: notifications/initialized";
          const stray = { jsonrpc: "2.0", error: { code: -32601, message } };
          const answer = honestMessage(request);
          return isFirst
            ? { kind: "messages", messages: [stray, answer] }
            : { kind: "message", message: answer };
        },
      };
    },
  },
  {
    name: "text-ids",
    transports: BOTH,
    does: "Sends every id back as a text.",
    failsAt: "initialize",
    conclude: 'Say at once that "1" is not 1.',
    behave: () => ({
      answer: (request) => ({
        kind: "message",
        message: honestMessage({ ...request, id: String(request.id) }),
      }),
    }),
  },
  {
    name: "no-newline",
    transports: ["stdio"],
    does: "Writes its messages without ending the line.",
    failsAt: "initialize",
    conclude: "Time out, show what is there of the line, and say that its end is missing.",
    behave: () => ({
      answer: (request) => ({
        kind: "bytes",
        bytes: [JSON.stringify(honestMessage(request))],
        leavesLineOpen: true,
      }),
    }),
  },
  {
    name: "asks-while-listing",
    transports: BOTH,
    does: "Asks for sampling while it lists its tools, of a client that never declared it.",
    failsAt: "nowhere",
    conclude: "Refuse with a JSON-RPC error, take the answer, and say what was asked.",
    behave: () =>
      on("tools/list", (request) => {
        const params = { messages: [], maxTokens: 1 };
        const asking = { jsonrpc: "2.0", id: "ask-1", method: "sampling/createMessage", params };
        return { kind: "messages", messages: [asking, honestMessage(request)] };
      }),
  },
  {
    name: "stateless-request",
    transports: BOTH,
    does: "Speaks 2026-07-28 and sends a request of its own before the list of tools.",
    failsAt: "nowhere",
    conclude: "Refuse it, take the answer, and say that this revision has no such requests.",
    behave: () => ({
      answer(request) {
        const asking = { jsonrpc: "2.0", id: "ask-1", method: "roots/list", params: {} };
        const answer = honestStatelessMessage(request);
        return request.method === "tools/list"
          ? { kind: "messages", messages: [asking, answer] }
          : { kind: "message", message: answer };
      },
    }),
  },
  {
    name: "unknown-result-type",
    transports: BOTH,
    does: "Speaks 2026-07-28 and lists its tools in a result of a type that nobody knows.",
    failsAt: "list",
    conclude: "Refuse the result and name its type.",
    behave: () => ({
      answer(request) {
        const resultType = request.method === "tools/list" ? "surprise" : "complete";
        return { kind: "message", message: honestStatelessMessage(request, { resultType }) };
      },
    }),
  },
  {
    name: "reply-events",
    transports: HTTP,
    does: "Streams its answers in events of the type reply.",
    failsAt: "initialize",
    conclude: "Say that the stream held no answer, and that events of another type are not read.",
    behave: () => ({
      answer: (request) => stream(`event: reply\ndata: ${JSON.stringify(honestMessage(request))}\n\n`),
    }),
  },
  {
    name: "result-on-400",
    transports: HTTP,
    does: "Sends every answer, right as it is, with the status 400.",
    failsAt: "initialize",
    conclude: "Take the status by its word, and say that a result came with it.",
    behave: () => withHead((status) => (status === 200 ? 400 : status)),
  },
  {
    name: "stream-left-open",
    transports: HTTP,
    does: "Streams its answers and never ends a stream.",
    failsAt: "nowhere",
    conclude: "Take the answer, let go of the stream soon, and say so.",
    behave: () => ({ answer: (request) => ({ kind: "messages", messages: neverEnding(request) }) }),
  },
  {
    name: "moved-on-same-origin",
    transports: HTTP,
    does: "Redirects by 308 to another path of the same origin, and works there.",
    failsAt: "nowhere",
    conclude: "Follow with the same method, body and headers.",
    behave: () => ({
      http(req, res, serveHonestly) {
        if (req.url === "/mcp/") return serveHonestly();
        res.writeHead(308, { location: "/mcp/" }).end();
      },
    }),
  },
  {
    name: "moved-to-other-origin",
    transports: HTTP,
    does: "Redirects by 307 to another name of its own, and works there.",
    failsAt: "nowhere",
    conclude: "Follow without credentials and session, and say that the origin changed.",
    behave: () => ({
      http(req, res, serveHonestly) {
        const host = req.headers.host ?? "";
        if (host.startsWith("localhost")) return serveHonestly();
        res.writeHead(307, { location: `http://${host.replace("127.0.0.1", "localhost")}/mcp` }).end();
      },
    }),
  },
  {
    name: "drops-kept-sockets",
    transports: HTTP,
    does: "Keeps connections alive, and cuts each at its second request without a word.",
    failsAt: "nowhere",
    conclude: "Send once more over a fresh connection what does no harm twice.",
    behave: () => {
      const used = new WeakSet<object>();
      return {
        http(req, _res, serveHonestly) {
          if (used.has(req.socket)) return void req.socket.destroy();
          used.add(req.socket);
          serveHonestly();
        },
      };
    },
  },
  {
    name: "not-acceptable",
    transports: HTTP,
    does: "Answers 406 to every request.",
    failsAt: "connect",
    conclude: "Say that the server refuses what the client accepts; POST is not the trouble.",
    behave: () => ({ http: (_req, res) => void res.writeHead(406).end("Not Acceptable") }),
  },
  {
    name: "false-gzip",
    transports: HTTP,
    does: "Says that its answers are gzip, and sends plain JSON.",
    failsAt: "initialize",
    conclude: "Say that the encoding is not what the header says.",
    behave: () => withHead((status) => status, { "content-encoding": "gzip" }),
  },
  {
    name: "old-schemas",
    transports: BOTH,
    does: "Describes arguments in forms of draft 4, and with references that go round in a circle or lead to nothing.",
    failsAt: "nowhere",
    conclude:
      "Keep the tools, and say which keyword is not of JSON Schema 2020-12 and which reference leads nowhere.",
    behave: () =>
      on("tools/list", ({ id }) => {
        const object = (properties: object, rest: object = {}) => ({ type: "object", properties, ...rest });
        const tools = [
          { name: "draft4", inputSchema: object({ count: { minimum: 0, exclusiveMinimum: true } }) },
          {
            name: "circle",
            inputSchema: object(
              { value: { $ref: "#/$defs/a" } },
              { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
            ),
          },
          { name: "dangling", inputSchema: object({ value: { $ref: "#/$defs/missing" } }) },
        ];
        return { kind: "message", message: { jsonrpc: "2.0", id, result: { tools } } };
      }),
  },
];

function notification(method: string, params: object) {
  return { jsonrpc: "2.0", method, params };
}

/** Says something before each honest answer. */
function before(extra: () => unknown): () => Misbehaviour {
  return () => ({
    answer: (request) => ({ kind: "messages", messages: [extra(), honestMessage(request)] }),
  });
}

function bytes(content: string | Buffer): Answer {
  return { kind: "bytes", bytes: [content] };
}

function stream(text: string): Answer {
  return { kind: "bytes", bytes: [text], headers: { "content-type": "text/event-stream" } };
}

async function* neverEnding(request: RpcRequest) {
  yield honestMessage(request);
  for (;;) await wait(60_000, undefined, { ref: false });
}

/** Answers honestly under another status or with more headers. */
function withHead(change: (status: number) => number, more: Record<string, string> = {}): Misbehaviour {
  return {
    http(_req, res, serveHonestly) {
      const writeHead = res.writeHead.bind(res) as (status: number, headers: object) => ServerResponse;
      const changed = (status: number, headers: object = {}) =>
        writeHead(change(status), status === 200 ? { ...headers, ...more } : headers);
      // The one form of the several that this corpus calls it in.
      res.writeHead = changed as ServerResponse["writeHead"];
      serveHonestly();
    },
  };
}
