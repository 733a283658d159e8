/** @module Faults in the HTTP transport and its sessions. */
import { asks, inResultOf, type Mutation } from "./mutation.ts";

export const transportMutations: Mutation[] = [
  {
    name: "a notification is answered with 200",
    revision: "2025-11-25",
    apart: true,
    head: (head, request) => {
      if (asks(request, "notifications/cancelled")) head.status = 200;
    },
    fails: ["notification-post-accepted"],
  },
  {
    name: "a notification is answered with a body",
    revision: "2025-11-25",
    text: (text, request) => (asks(request, "notifications/cancelled") ? "Thank you." : text),
    fails: ["notification-post-accepted"],
  },
  {
    name: "the end of the handshake is refused",
    revision: "2025-11-25",
    answer: (request) => (asks(request, "notifications/initialized") ? { status: 400 } : undefined),
    fails: ["session-initialized-accepted"],
  },
  {
    name: "GET is answered with a page",
    revision: "2025-11-25",
    answer: ({ method }) =>
      method === "GET"
        ? { status: 200, headers: { "content-type": "text/html" }, body: "<p>Hi</p>" }
        : undefined,
    fails: ["get-stream-or-405", "localhost-host-rebinding-rejected", "origin-invalid-403"],
    advises: ["sse-polling-resume"],
  },
  {
    name: "an answer's media type is none of the two",
    revision: "2026-07-28",
    head: (head, request) => {
      if (asks(request, "tools/list")) head.headers["content-type"] = "application/json-rpc";
    },
    fails: ["post-response-content-type"],
  },
  {
    name: "only one request is served at a time",
    revision: "2025-11-25",
    answer: ({ body }) => (body?.id === 1001 ? { status: 409 } : undefined),
    fails: ["server-accepts-multiple-post-streams"],
  },
  {
    name: "one of several streams stays empty",
    revision: "2025-11-25",
    message: (message) => (message.id === 1002 ? undefined : message),
    advises: ["server-sse-streams-functional"],
  },
  {
    name: "a rebound name is served",
    revision: "2026-07-28",
    request: ({ headers }) => {
      headers.host = "127.0.0.1";
      delete headers.origin;
    },
    fails: ["localhost-host-rebinding-rejected"],
  },
  {
    name: "a rebound name is refused as not found",
    revision: "2025-11-25",
    head: (head) => {
      if (head.status === 403) head.status = 404;
    },
    fails: ["localhost-host-rebinding-rejected", "origin-invalid-403"],
  },
  {
    name: "a stream for another site is refused as a bad request",
    revision: "2025-11-25",
    head: (head, { method }) => {
      if (method === "GET" && head.status === 403) head.status = 400;
    },
    fails: ["origin-invalid-403"],
  },
  {
    name: "another site may end a session",
    revision: "2025-11-25",
    request: ({ method, headers }) => {
      if (method === "DELETE") delete headers.origin;
    },
    fails: ["origin-invalid-403"],
  },
  {
    name: "only the Host is looked at, never the Origin",
    revision: "2025-11-25",
    apart: true,
    request: ({ headers }) => {
      if (headers.host?.startsWith("127.0.0.1")) delete headers.origin;
    },
    fails: ["localhost-host-rebinding-rejected"],
  },
  {
    name: "the server's own origin is refused",
    revision: "2025-11-25",
    answer: ({ headers }) => (headers.origin?.startsWith("http://127.0.0.1:") ? { status: 403 } : undefined),
    advises: ["localhost-host-valid-accepted"],
  },
  {
    name: "a session id holds a space",
    revision: "2025-11-25",
    head: ({ headers }) => {
      if (headers["mcp-session-id"] !== undefined)
        headers["mcp-session-id"] = `a ${headers["mcp-session-id"]}`;
    },
    request: ({ headers }) => {
      const id = headers["mcp-session-id"];
      if (typeof id === "string") headers["mcp-session-id"] = id.slice(2);
    },
    fails: ["session-id-visible-ascii"],
  },
  {
    name: "an ended session is still served",
    revision: "2025-11-25",
    apart: true,
    answer: ({ method, headers }) =>
      method === "DELETE" && headers.origin === undefined ? { status: 200 } : undefined,
    fails: ["session-terminated-404"],
  },
  {
    name: "the end of a session is refused in a way of its own",
    revision: "2025-11-25",
    answer: ({ method }) => (method === "DELETE" ? { status: 400 } : undefined),
    advises: ["session-delete"],
  },
  {
    name: "a token is asked for once, and the session is a login from then on",
    revision: "2025-11-25",
    accessToken: "a-token-for-tests",
    answer: (request) =>
      asks(request, "initialize") && request.headers.authorization === undefined
        ? { status: 401 }
        : undefined,
    fails: ["session-is-no-login"],
  },
  {
    name: "a session is opened where there are none",
    revision: "2026-07-28",
    head: (head, request) => {
      if (asks(request, "tools/list")) head.headers["mcp-session-id"] = "s-1";
    },
    // One that serves older revisions too has a use for sessions.
    message: inResultOf("server/discover", (result) => {
      result.supportedVersions = ["2026-07-28"];
    }),
    advises: ["modern-no-session-id"],
  },
];
