/** @module Faults in the opening and in what every server must answer. */
import { asks, inResultOf, type Mutation } from "./mutation.ts";

export const lifecycleMutations: Mutation[] = [
  {
    name: "initialize does not say who the server is",
    revision: "2025-11-25",
    message: inResultOf("initialize", (result) => delete result.serverInfo),
    fails: ["server-initialize"],
  },
  {
    name: "ping is answered with something",
    revision: "2025-11-25",
    message: inResultOf("ping", (result) => {
      result.pong = true;
    }),
    fails: ["ping"],
  },
  {
    name: "an unknown method is answered with another error",
    revision: "2025-11-25",
    message: (message, { body }) =>
      String(body?.method).startsWith("fettle/")
        ? { ...message, error: { code: -32000, message: "No" } }
        : message,
    fails: ["protocol-invalid-method-error"],
  },
  {
    name: "an unknown method is an error inside HTTP 200",
    revision: "2026-07-28",
    head: (head, { body }) => {
      if (String(body?.method).startsWith("fettle/")) head.status = 200;
    },
    fails: ["protocol-invalid-method-error"],
  },
  {
    name: "server/discover names no versions",
    revision: "2026-07-28",
    message: inResultOf("server/discover", (result) => {
      result.supportedVersions = [];
    }),
    fails: ["modern-client-handshake", "modern-server-discover"],
  },
  {
    name: "a session is opened where there are none",
    revision: "2026-07-28",
    head: (head, request) => {
      if (asks(request, "tools/list")) head.headers["mcp-session-id"] = "s-1";
    },
    fails: ["modern-no-session-id"],
  },
];
