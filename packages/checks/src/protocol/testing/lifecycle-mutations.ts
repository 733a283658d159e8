/** @module Faults in the opening and in what every server must answer. */
import { isObject } from "@fettle/mcp";
import { asks, errorInstead, inResultOf, type Mutation } from "./mutation.ts";

const isUnknown = (method: unknown) => String(method).startsWith("fettle/");

export const lifecycleMutations: Mutation[] = [
  {
    name: "initialize does not say who the server is",
    revision: "2025-11-25",
    message: inResultOf("initialize", (result) => delete result.serverInfo),
    fails: ["server-initialize", "wire-schema-valid"],
  },
  {
    name: "initialize answers with a number for a version",
    revision: "2025-11-25",
    apart: true,
    message: inResultOf("initialize", (result) => {
      result.protocolVersion = 20251125;
    }),
    fails: ["server-initialize", "wire-schema-valid"],
    silences: ["logging-invalid-level", "resource-not-found"],
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
    name: "ping is an unknown method",
    revision: "2025-11-25",
    apart: true,
    answer: (request) => (asks(request, "ping") ? errorInstead(request, -32601) : undefined),
    fails: ["ping"],
  },
  {
    name: "an unknown method is answered with another error",
    revision: "2025-11-25",
    message: (message, { body }) =>
      isUnknown(body?.method) ? { ...message, error: { code: -32000, message: "No" } } : message,
    fails: ["protocol-invalid-method-error"],
  },
  {
    name: "an unknown method is answered with a result",
    revision: "2025-11-25",
    message: (message, { body }) =>
      isUnknown(body?.method) ? { jsonrpc: "2.0", id: message.id, result: {} } : message,
    fails: ["protocol-invalid-method-error"],
  },
  {
    name: "logging is offered, but no level is taken",
    revision: "2025-11-25",
    apart: true,
    answer: (request) => (asks(request, "logging/setLevel") ? errorInstead(request, -32601) : undefined),
    // The level cannot be unknown to a server that knows none. No sentence demands that it takes one.
    advises: ["capabilities-consistent"],
    silences: ["logging-invalid-level"],
  },
  {
    name: "taking a log level is answered with more than an empty result",
    revision: "2025-11-25",
    apart: true,
    message: inResultOf("logging/setLevel", (result) => {
      result.level = "info";
    }),
    fails: ["logging-set-level"],
  },
  {
    name: "log messages never arrive",
    revision: "2025-11-25",
    message: (message) => (message.method === "notifications/message" ? undefined : message),
    advises: ["tool-logging-notifications"],
  },
  {
    name: "completion values are no list",
    revision: "2025-11-25",
    message: inResultOf("completion/complete", (result) => {
      result.completion = { values: "paris" };
    }),
    fails: ["completion-complete", "wire-schema-valid"],
  },
  {
    name: "completion brings more values than allowed",
    revision: "2026-07-28",
    message: inResultOf("completion/complete", (result) => {
      result.completion = { values: Array.from({ length: 101 }, (_, index) => `v${index}`) };
    }),
    fails: ["completion-complete", "wire-schema-valid"],
  },
  {
    name: "prompts are listed, but not advertised",
    revision: "2025-11-25",
    apart: true,
    message: inResultOf("initialize", ({ capabilities }) => {
      if (isObject(capabilities)) delete capabilities.prompts;
    }),
    fails: ["capabilities-consistent"],
  },
  {
    name: "resources are served, but not advertised",
    revision: "2026-07-28",
    message: inResultOf("server/discover", ({ capabilities }) => {
      if (isObject(capabilities)) delete capabilities.resources;
    }),
    fails: ["capabilities-consistent"],
  },
  {
    name: "prompts are advertised, but cannot be listed",
    revision: "2025-11-25",
    answer: (request) => (asks(request, "prompts/list") ? errorInstead(request, -32601) : undefined),
    advises: ["capabilities-consistent"],
  },
  {
    name: "prompts are advertised, but cannot be listed, where the text forbids it",
    revision: "2026-07-28",
    apart: true,
    answer: (request) => (asks(request, "prompts/list") ? errorInstead(request, -32601) : undefined),
    fails: ["capabilities-consistent", "prompts-list"],
  },
  {
    name: "an unknown method is an error inside HTTP 200",
    revision: "2026-07-28",
    head: (head, { body }) => {
      if (isUnknown(body?.method)) head.status = 200;
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
    name: "server/discover names no capabilities",
    revision: "2026-07-28",
    apart: true,
    message: inResultOf("server/discover", (result) => delete result.capabilities),
    fails: ["modern-client-handshake", "modern-server-discover", "wire-schema-valid"],
  },
  {
    name: "the server's identity lacks a version",
    revision: "2026-07-28",
    message: inResultOf("server/discover", ({ _meta }) => {
      if (isObject(_meta)) _meta["io.modelcontextprotocol/serverInfo"] = { name: "everything" };
    }),
    fails: ["modern-server-discover", "wire-schema-valid"],
  },
  {
    name: "logs come though nobody asked for them",
    revision: "2026-07-28",
    request: ({ body }) => {
      const meta = body?.method === "tools/call" && isObject(body.params) ? body.params._meta : undefined;
      if (isObject(meta)) meta["io.modelcontextprotocol/logLevel"] = "debug";
    },
    fails: ["modern-logs-require-log-level"],
  },
  {
    name: "errors carry no id",
    revision: "2026-07-28",
    message: (message) => (isObject(message.error) ? { ...message, id: null } : message),
    fails: ["error-id-echo"],
  },
  {
    name: "an answer carries the id as a text",
    revision: "2025-11-25",
    message: (message, { body }) =>
      body?.method === "ping" ? { ...message, id: String(message.id) } : message,
    fails: ["error-id-echo"],
  },
];
