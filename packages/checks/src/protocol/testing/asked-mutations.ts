/** @module Faults that show only when a server is asked on purpose: other revisions, other connections, other arguments, other answers. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { Fault, ProxiedRequest } from "./faulty-proxy.ts";
import {
  asks,
  errorInstead,
  inResultOf,
  type Mutation,
  metaOf,
  refusing,
  resultInstead,
} from "./mutation.ts";

const modern = "2026-07-28";
const legacy = "2025-11-25";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

function paramsOf({ body }: ProxiedRequest): JsonObject {
  return isObject(body?.params) ? body.params : {};
}

/** The first request of a conversation; the others began theirs with something else. */
const isFirst = (request: ProxiedRequest) => asks(request, "tools/list") && request.body?.id === 1;

/** Takes what a client declared once for what it can do ever after. */
function remembering(tool: string): Mutation["request"] {
  let known: unknown;
  return (request) => {
    const meta = asks(request, "tools/call", tool) ? metaOf(request) : undefined;
    const declared = meta?.[capabilitiesKey];
    if (!meta || !isObject(declared)) return;
    if (Object.keys(declared).length > 0) known = declared;
    else if (known) meta[capabilitiesKey] = known;
  };
}

const answeringUnfit =
  (text: string): Fault["answer"] =>
  (request) => {
    const args = paramsOf(request).arguments;
    const isUnfit = isObject(args) && isObject(args.prompt);
    return isUnfit ? resultInstead(request, { content: [{ type: "text", text }] }) : undefined;
  };

export const askedMutations: Mutation[] = [
  {
    name: "every revision that is asked for is said to be supported",
    revision: legacy,
    apart: true,
    message: inResultOf("initialize", (result, request) => {
      result.protocolVersion = paramsOf(request).protocolVersion;
    }),
    fails: ["initialize-unknown-version"],
  },
  {
    name: "the revision that is offered is not kept to",
    revision: legacy,
    message: inResultOf("initialize", (result, request) => {
      const asked = paramsOf(request).protocolVersion;
      if (asked === "1999-01-01") result.protocolVersion = "2025-06-18";
      if (asked === "2025-06-18") result.protocolVersion = "2025-03-26";
    }),
    fails: ["initialize-version-echo"],
  },
  {
    name: "a header with a revision that never was is not looked at",
    revision: legacy,
    request: ({ headers }) => {
      if (headers["mcp-protocol-version"] === "1999-01-01") headers["mcp-protocol-version"] = legacy;
    },
    fails: ["protocol-version-header-invalid"],
  },
  {
    name: "a header with a revision that never was is refused with a status of one's own",
    revision: legacy,
    head: (head, { headers }) => {
      if (headers["mcp-protocol-version"] === "1999-01-01") head.status = 406;
    },
    fails: ["protocol-version-header-invalid"],
  },
  {
    name: "requests without a version header are served",
    revision: modern,
    answer: (request) => (asks(request, "initialize") ? errorInstead(request, -32601, 404) : undefined),
    request: ({ headers }) => {
      headers["mcp-protocol-version"] ??= modern;
    },
    message: inResultOf("server/discover", (result) => {
      result.supportedVersions = [modern];
    }),
    fails: ["modern-missing-version-header"],
  },
  {
    name: "nothing is served before server/discover",
    revision: modern,
    answer: refusing(isFirst, -32600, 400),
    fails: ["stateless-first-request"],
  },
  {
    name: "a new connection is listed less",
    revision: modern,
    message: (message, request) => {
      if (isFirst(request) && isObject(message.result)) (message.result.tools as unknown[]).pop();
      return message;
    },
    alone: true,
    fails: ["lists-stable"],
  },
  {
    name: "a capability that was declared once counts for ever",
    revision: modern,
    request: remembering("test_missing_capability"),
    fails: ["capabilities-not-remembered"],
  },
  {
    name: "names in base64 are compared as they are",
    revision: modern,
    answer: refusing(({ headers }) => String(headers["mcp-name"]).startsWith("=?base64?"), -32020, 400),
    fails: ["modern-name-header-base64"],
  },
  {
    name: "a question that is declined ends in an internal error",
    revision: modern,
    answer: refusing(
      (request) => JSON.stringify(paramsOf(request).inputResponses ?? {}).includes('"decline"'),
      -32603,
      200,
    ),
    fails: ["elicitation-decline-handled"],
  },
  {
    name: "subscriptions to resources are offered, but not served",
    revision: modern,
    answer: refusing(
      (request) => JSON.stringify(paramsOf(request).notifications ?? {}).includes("resourceSubscriptions"),
      -32602,
      400,
    ),
    fails: ["listen-resource-updates"],
  },
  {
    name: "an argument of another type is taken",
    revision: legacy,
    answer: answeringUnfit("Fine."),
    fails: ["tools-call-invalid-arguments"],
  },
  {
    name: "an argument of another type is refused in words alone",
    revision: legacy,
    apart: true,
    answer: answeringUnfit("Error: prompt is no text."),
    advises: ["tools-call-invalid-arguments"],
  },
  {
    name: "tasks are made though none are offered",
    revision: legacy,
    message: inResultOf("initialize", ({ capabilities }) => {
      if (isObject(capabilities)) delete capabilities.tasks;
    }),
    answer: (request) =>
      asks(request, "tools/call") && "task" in paramsOf(request)
        ? resultInstead(request, { content: [], task: { taskId: "t-1", status: "working" } })
        : undefined,
    fails: ["tasks-param-ignored"],
  },
];
