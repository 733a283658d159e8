/**
 * Servers whose messages are right and whose bytes are not where or what their headers say.
 * @module
 */
import { gzipSync } from "node:zlib";
import { honestMessage } from "./honest.ts";
import { type Answer, type HostileServer, type Misbehaviour, on, type RpcRequest } from "./hostile-server.ts";

const HTTP: HostileServer["transports"] = ["http"];

/** It looks random, and is made once. */
const sharedSession = "0b3f5d1e-6f0c-4a5e-9a53-7c3a2f1d8e64";

export const WRONG_BODIES: HostileServer[] = [
  {
    name: "gzip-unlabeled",
    transports: HTTP,
    does: "Compresses its list of tools with gzip, and does not say so.",
    failsAt: "list",
    conclude:
      "Say that the body is compressed and Content-Encoding is missing, and show how the bytes begin.",
    behave: () => listing((text) => ({ bytes: [gzipSync(text)] })),
  },
  {
    name: "json-as-events",
    transports: HTTP,
    does: "Sends its list of tools as plain JSON, labeled text/event-stream.",
    failsAt: "list",
    conclude: "Say that it is JSON under another label, and show how it begins.",
    behave: () => listing((text) => ({ bytes: [text], headers: { "content-type": "text/event-stream" } })),
  },
  {
    name: "event-not-ended",
    transports: HTTP,
    does: "Streams its list of tools in an event that has no blank line behind it.",
    failsAt: "list",
    conclude: "Drop the event as the format says, and say that its end is missing.",
    behave: () =>
      listing((text) => ({ bytes: [`data: ${text}\n`], headers: { "content-type": "text/event-stream" } })),
  },
  {
    name: "long-content-length",
    transports: HTTP,
    does: "Says in Content-Length that its list of tools is 20 bytes longer than it is.",
    failsAt: "list",
    conclude: "Time out, and say how many bytes were promised and how many came.",
    behave: () =>
      listing((text) => ({
        bytes: [text],
        headers: { "content-length": String(Buffer.byteLength(text) + 20) },
      })),
  },
  {
    name: "counted-sessions",
    transports: HTTP,
    does: "Counts its sessions, and uses the number as their id.",
    failsAt: "nowhere",
    conclude: "Go on, and say that the next id can be guessed.",
    behave: () => {
      let count = 0;
      return {
        http(req, res, serveHonestly) {
          if (req.method === "POST" && !req.headers["mcp-session-id"]) {
            count += 1;
            res.setHeader("mcp-session-id", `session-${count}`);
          }
          serveHonestly();
        },
      };
    },
  },
  {
    name: "shared-session",
    transports: HTTP,
    does: "Gives every client the same session id.",
    failsAt: "nowhere",
    conclude: "Go on, and say that clients share a session.",
    behave: () => ({
      http(req, res, serveHonestly) {
        if (req.method === "POST") res.setHeader("mcp-session-id", sharedSession);
        serveHonestly();
      },
    }),
  },
  {
    name: "answers-on-stderr",
    transports: ["stdio"],
    does: "Writes its list of tools to stderr.",
    failsAt: "list",
    conclude: "Time out, and say where the answer is.",
    behave: () =>
      on("tools/list", (request) => {
        process.stderr.write(`${JSON.stringify(honestMessage(request))}\n`);
        return { kind: "silence" };
      }),
  },
];

type Bytes = Extract<Answer, { kind: "bytes" }>;

function listing(write: (text: string) => Omit<Bytes, "kind">): Misbehaviour {
  return on("tools/list", (request: RpcRequest) => ({
    kind: "bytes",
    ...write(JSON.stringify(honestMessage(request))),
  }));
}
