/**
 * Servers that answer too late, never, or die while answering.
 * @module
 */
import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { type HostileServer, on } from "./hostile-server.ts";

const BOTH: HostileServer["transports"] = ["stdio", "http"];
const SILENCE = { kind: "silence" } as const;
// Misbehaving processes end by themselves after a while, so that a client that fails to end them leaves nothing for good.
const LAST_RESORT_MS = 60_000;

export const TOO_LATE: HostileServer[] = [
  {
    name: "hang-at-connect",
    transports: ["http"],
    does: "Accepts connections and sends nothing, not even headers.",
    failsAt: "connect",
    conclude: "Time out and say that the server accepts connections but does not answer.",
    behave: () => ({ http: () => {} }),
  },
  {
    name: "hang-at-initialize",
    transports: BOTH,
    does: "Reads everything and answers nothing; over HTTP the headers come, the body does not.",
    failsAt: "initialize",
    conclude: "Time out and say that the server started but does not answer initialize.",
    behave: () => ({ answer: () => SILENCE }),
  },
  {
    name: "hang-on-call",
    transports: BOTH,
    does: "Works until a tool is called, then never answers that call.",
    failsAt: "call",
    conclude: "Time out the call, cancel it, and keep the connection for other requests.",
    behave: () => on("tools/call", () => SILENCE),
  },
  {
    name: "slow-drip",
    transports: BOTH,
    does: "Answers tools/list one byte every 100 ms, without end.",
    failsAt: "list",
    conclude: "Bytes must not extend the deadline for ever: time out on the total.",
    behave: () => on("tools/list", () => ({ kind: "bytes", bytes: drip() })),
  },
  {
    name: "sse-never-answers",
    transports: ["http"],
    does: "Answers every request with an event stream that carries only keep-alive comments.",
    failsAt: "initialize",
    conclude: "Time out and say that the stream is open but the answer never came.",
    behave: () => ({
      answer: () => ({ kind: "bytes", bytes: keepAlive(), headers: { "content-type": "text/event-stream" } }),
    }),
  },
  {
    name: "death-mid-call",
    transports: BOTH,
    does: "Dies in the middle of answering a call: the process exits with code 7, the connection is cut.",
    failsAt: "call",
    conclude:
      "Say that the server died during the call, with exit code or reset; the call may have had effects.",
    behave: () =>
      on("tools/call", ({ id }) => ({
        kind: "death",
        lastOutputLines: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"te`,
      })),
  },
  {
    name: "crash-at-start",
    transports: ["stdio"],
    does: "Writes a stack trace to stderr and exits with code 1 before reading anything.",
    failsAt: "connect",
    conclude: "Say that the server crashed at start, with its exit code and the end of its stderr.",
    behave: () => ({
      atStart() {
        process.stderr.write("Error: Cannot find module 'left-shelf'\n    at start (server.js:1:1)\n");
        process.exit(1);
      },
    }),
  },
  {
    name: "ignores-shutdown",
    transports: ["stdio"],
    does: "Works, but ignores the end of stdin and SIGTERM.",
    failsAt: "nowhere",
    conclude: "Close stdin, then TERM, then KILL; no process remains.",
    behave: () => ({
      atStart() {
        process.on("SIGTERM", () => {});
      },
      atEnd() {
        setTimeout(() => process.exit(), LAST_RESORT_MS);
      },
    }),
  },
  {
    name: "leaves-grandchild",
    transports: ["stdio"],
    does: "Works, but has a child of its own that outlives it and keeps its stdout open.",
    failsAt: "nowhere",
    conclude: "End the whole process group; no process remains.",
    behave: () => ({
      atStart() {
        const idle = `setTimeout(() => {}, ${LAST_RESORT_MS})`;
        spawn(process.execPath, ["-e", idle], { stdio: ["ignore", "inherit", "ignore"] });
      },
    }),
  },
];

async function* drip() {
  yield "{";
  for (;;) {
    await wait(100, undefined, { ref: false });
    yield " ";
  }
}

async function* keepAlive() {
  for (;;) {
    yield ": keepalive\n\n";
    await wait(200, undefined, { ref: false });
  }
}
