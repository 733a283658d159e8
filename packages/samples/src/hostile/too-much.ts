/**
 * Servers that send more than anyone can hold: bytes, keys, depth, pages, tools.
 * @module
 */
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { ECHO } from "./honest.ts";
import { type HostileServer, on, type RpcRequest, result } from "./hostile-server.ts";

const BOTH: HostileServer["transports"] = ["stdio", "http"];
const MEBIBYTE = Buffer.alloc(1 << 20, "a");

export const TOO_MUCH: HostileServer[] = [
  {
    name: "huge-line",
    transports: BOTH,
    does: "Answers tools/list with one valid message of 1 GiB.",
    failsAt: "list",
    conclude: "Stop reading at the size cap, close, and say that the answer was too large.",
    behave: () => on("tools/list", (request) => ({ kind: "bytes", bytes: hugeMessage(request) })),
  },
  {
    name: "endless-event",
    transports: ["http"],
    does: "Answers tools/list with an event stream whose first event never ends.",
    failsAt: "list",
    conclude: "Stop reading at the event cap, close, and say that an event was too large.",
    behave: () =>
      on("tools/list", () => ({
        kind: "bytes",
        bytes: endlessEvent(),
        headers: { "content-type": "text/event-stream" },
      })),
  },
  {
    name: "gzip-bomb",
    transports: ["http"],
    does: "Answers tools/list with a small gzip body that unpacks to 1 GiB.",
    failsAt: "list",
    conclude: "Apply the size cap to what comes out of decompression, not to what goes in.",
    behave: () =>
      on("tools/list", (request) => ({
        kind: "bytes",
        bytes: packedMessage(request),
        headers: { "content-encoding": "gzip" },
      })),
  },
  {
    name: "million-keys",
    transports: BOTH,
    does: "Answers tools/list with a result of a million members.",
    failsAt: "list",
    conclude: "Refuse the message for its number of elements before building it in memory.",
    behave: () => on("tools/list", (request) => ({ kind: "bytes", bytes: millionKeys(request) })),
  },
  {
    name: "deep-nesting",
    transports: BOTH,
    does: "Answers tools/list with arrays nested 200,000 deep.",
    failsAt: "list",
    conclude: "Refuse the message for its depth; never walk it recursively.",
    behave: () =>
      on("tools/list", (request) => ({
        kind: "bytes",
        bytes: [opening(request), '"deep":', "[".repeat(200_000), "]".repeat(200_000), "}}"],
      })),
  },
  {
    name: "giant-tool-list",
    transports: BOTH,
    does: "Lists 100,000 valid tools on one page.",
    failsAt: "nowhere",
    conclude: "Keep to the caps: list what fits, say that the list was cut, and stay quick.",
    behave: () => on("tools/list", (request) => ({ kind: "bytes", bytes: giantToolList(request) })),
  },
  {
    name: "cyclic-cursor",
    transports: BOTH,
    does: "Pages of tools/list lead from cursor a to b and back to a.",
    failsAt: "nowhere",
    conclude:
      "Notice the repeated cursor, stop, keep the tools seen, and say that the list goes round in circles.",
    behave: () =>
      on("tools/list", (request) =>
        result(request, { tools: [ECHO], nextCursor: request.params.cursor === "a" ? "b" : "a" }),
      ),
  },
  {
    name: "endless-pages",
    transports: BOTH,
    does: "Every page of tools/list has a new cursor and one more tool.",
    failsAt: "nowhere",
    conclude: "Stop at the page cap, keep the tools seen, and say that the list was cut.",
    behave: () =>
      on("tools/list", (request) => {
        const page = Number(request.params.cursor ?? 0);
        return result(request, { tools: [{ ...ECHO, name: `echo_${page}` }], nextCursor: String(page + 1) });
      }),
  },
  {
    name: "endless-progress",
    transports: BOTH,
    does: "Answers a call with progress and log notifications without end.",
    failsAt: "call",
    conclude: "Progress may extend the idle time-out, but the total time caps it: time out and cancel.",
    behave: () => on("tools/call", (request) => ({ kind: "messages", messages: endlessProgress(request) })),
  },
  {
    name: "stderr-flood",
    transports: ["stdio"],
    does: "Writes to stderr without end and otherwise works.",
    failsAt: "nowhere",
    conclude: "Keep the last part of stderr only, never wait on it, and go on.",
    behave: () => ({
      atStart() {
        setInterval(
          () => process.stderr.write("Something happened that nobody needs to know.\n".repeat(1000)),
          5,
        ).unref();
      },
    }),
  },
  {
    name: "giant-headers",
    transports: ["http"],
    does: "Answers with 1 MiB of response headers.",
    failsAt: "connect",
    conclude: "Refuse the response; it is not a usable MCP server.",
    behave: () => ({
      http(_req, res) {
        const lines = Array.from(
          { length: 64 },
          (_, index) => `x-filler-${index}: ${"a".repeat(16_384)}\r\n`,
        );
        // Written below the HTTP library, which would not send this.
        res.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines.join("")}\r\n{}`);
      },
    }),
  },
];

function opening(request: RpcRequest): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":{"tools":[],`;
}

function* hugeMessage(request: RpcRequest) {
  yield `${opening(request)}"filler":"`;
  for (let count = 0; count < 1024; count += 1) yield MEBIBYTE;
  yield '"}}';
}

/** The same message as gzip. A file of several gzip members unpacks to their sum, so one packed mebibyte serves for all. */
function* packedMessage(request: RpcRequest) {
  const packed = gzipSync(MEBIBYTE);
  yield gzipSync(`${opening(request)}"filler":"`);
  for (let count = 0; count < 1024; count += 1) yield packed;
  yield gzipSync('"}}');
}

function* endlessEvent() {
  yield "event: message\ndata: ";
  for (;;) yield MEBIBYTE;
}

function* millionKeys(request: RpcRequest) {
  yield opening(request);
  for (let key = 0; key < 1_000_000; key += 1000) {
    yield Array.from({ length: 1000 }, (_, offset) => `"k${key + offset}":0,`).join("");
  }
  yield '"last":0}}';
}

function* giantToolList(request: RpcRequest) {
  yield `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":{"tools":[`;
  for (let index = 0; index < 100_000; index += 1) {
    yield `${index ? "," : ""}${JSON.stringify({ ...ECHO, name: `echo_${index}` })}`;
  }
  yield "]}}";
}

async function* endlessProgress({ params }: RpcRequest) {
  const { progressToken = 0 } = (params._meta ?? {}) as { progressToken?: string | number };
  for (let progress = 1; ; progress += 1) {
    yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } };
    yield {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", data: `step ${progress}` },
    };
    await wait(20, undefined, { ref: false });
  }
}
