/** @module Faults in the HTTP transport. */
import { asks, type Mutation } from "./mutation.ts";

export const transportMutations: Mutation[] = [
  {
    name: "a notification is answered with 200",
    revision: "2025-11-25",
    head: (head, request) => {
      if (asks(request, "notifications/cancelled")) head.status = 200;
    },
    fails: ["notification-post-accepted"],
  },
  {
    name: "GET is answered with a page",
    revision: "2025-11-25",
    answer: ({ method }) =>
      method === "GET"
        ? { status: 200, headers: { "content-type": "text/html" }, body: "<p>Hi</p>" }
        : undefined,
    fails: ["get-stream-or-405"],
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
];
