/** @module Faults in what a server says beside its answers, and in the names it makes up. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import { asks, inCallOf, inItem, inResultOf, type MessageFault, type Mutation, metaOf } from "./mutation.ts";
import { saying } from "./wire-mutations.ts";

const modern = "2026-07-28";
const legacy = "2025-11-25";
const progress = "notifications/progress";

/** Says something else before each report of progress. */
function besideProgress(extra: (request: ProxiedRequest) => JsonObject): MessageFault {
  return (message, request) =>
    message.method === progress && asks(request, "tools/call", "test_tool_with_progress")
      ? [{ jsonrpc: "2.0", ...extra(request) }, message]
      : message;
}

/** Reports once more after the answer. */
const lateProgress: MessageFault = (message, request) => {
  if (!("result" in message) || !asks(request, "tools/call", "test_tool_with_progress")) return message;
  const params = { progressToken: metaOf(request)?.progressToken, progress: 101 };
  return [message, { jsonrpc: "2.0", method: progress, params }];
};

const logging = { method: "notifications/message", params: { level: "info", data: "Hello." } };

const cancelling = { method: "notifications/cancelled", params: { requestId: 4711 } };

export const trafficMutations: Mutation[] = [
  {
    name: "an error has a code that nobody defined",
    revision: modern,
    message: (message, request) =>
      asks(request, "prompts/get") && isObject(message.error)
        ? { ...message, error: { code: -32050, message: "No" } }
        : message,
    fails: ["reserved-error-codes"],
    advises: ["prompts-get-missing-argument"],
  },
  {
    name: "all events have one id",
    revision: legacy,
    event: (lines, request) => (asks(request, "tools/list") ? lines.replace(/^id: .*$/m, "id: 1") : lines),
    fails: ["sse-event-ids-unique"],
  },
  {
    name: "an answer comes on the stream that GET opens",
    revision: legacy,
    answer: ({ method }) =>
      method === "GET"
        ? {
            status: 200,
            headers: { "content-type": "text/event-stream" },
            body: 'data: {"jsonrpc":"2.0","id":987654,"result":{}}\n\n',
          }
        : undefined,
    fails: [
      "error-id-echo",
      "get-stream-no-responses",
      "localhost-host-rebinding-rejected",
      "origin-invalid-403",
    ],
    advises: ["sse-polling-resume"],
  },
  {
    name: "two requests of the server have one id",
    revision: legacy,
    message: (message, request) =>
      ["ping", "completion/complete"].some((method) => asks(request, method)) && "id" in message
        ? [{ jsonrpc: "2.0", id: "again", method: "ping" }, message]
        : message,
    fails: ["server-request-ids"],
  },
  {
    name: "the server cancels what it never asked",
    revision: legacy,
    message: saying("ping", cancelling),
    fails: ["server-cancels-own-only"],
  },
  {
    name: "the server cancels a request of the client",
    revision: modern,
    message: besideProgress(() => cancelling),
    fails: ["server-cancels-own-only"],
  },
  {
    name: "progress goes on after the answer",
    revision: legacy,
    message: lateProgress,
    fails: ["progress-stops"],
  },
  {
    name: "progress goes on after the answer, without a session",
    revision: modern,
    message: lateProgress,
    fails: ["progress-stops"],
  },
  {
    name: "progress falls",
    revision: legacy,
    message: besideProgress((request) => ({
      method: progress,
      params: { progressToken: metaOf(request)?.progressToken, progress: -1 },
    })),
    fails: ["progress-rises", "tools-call-progress"],
  },
  {
    name: "a notification carries an id",
    revision: legacy,
    message: saying("ping", { ...logging, id: "n-1" }),
    fails: ["notifications-without-id"],
  },
  {
    name: "changes are told that were never declared",
    revision: legacy,
    message(message, request) {
      if (asks(request, "initialize") && isObject(message.result)) {
        delete ((message.result.capabilities as JsonObject).prompts as JsonObject).listChanged;
      }
      return saying("ping", { method: "notifications/prompts/list_changed" })(message, request);
    },
    fails: ["notifications-declared"],
  },
  {
    name: "progress of another request comes before an answer",
    revision: modern,
    message: besideProgress(() => ({ method: progress, params: { progressToken: "other", progress: 1 } })),
    fails: ["progress-token-known", "stream-notifications-related", "tools-call-progress"],
  },
  {
    name: "a log message comes on a listening stream",
    revision: modern,
    message: (message, request) =>
      message.method === "notifications/subscriptions/acknowledged"
        ? [
            message,
            {
              jsonrpc: "2.0",
              method: "notifications/message",
              params: {
                level: "info",
                data: "Hello.",
                _meta: { "io.modelcontextprotocol/subscriptionId": request.body?.id },
              },
            },
          ]
        : message,
    fails: ["listen-stream-only-asked", "modern-logs-require-log-level"],
  },
  {
    name: "input is required, but none is asked for",
    revision: modern,
    message: inCallOf("test_input_required_result_multiple_inputs", (result) => {
      delete result.inputRequests;
      delete result.requestState;
    }),
    fails: ["input-required-not-empty"],
    advises: ["mrtr-multiple-inputs"],
  },
  {
    name: "tools are offered to a client that takes none",
    revision: legacy,
    message: (message) => {
      if (message.method === "sampling/createMessage") {
        (message.params as JsonObject).tools = [{ name: "look", inputSchema: { type: "object" } }];
      }
      return message;
    },
    fails: ["sampling-tools-respected"],
  },
  {
    name: "a form asks for a password",
    revision: legacy,
    message: (message) => {
      if (message.method === "elicitation/create") {
        const { requestedSchema } = message.params as { requestedSchema: { properties: JsonObject } };
        requestedSchema.properties.password = { type: "string" };
      }
      return message;
    },
    fails: ["elicitation-no-secrets"],
  },
  {
    name: "a resource has a scheme that is none",
    revision: legacy,
    message: inCallOf("test_embedded_resource", ({ content }) => {
      (content as { resource: JsonObject }[])[0]!.resource.uri = "my_scheme://example";
    }),
    fails: ["resource-uris-valid"],
  },
  {
    name: "a key of _meta begins with an underscore",
    revision: legacy,
    message: inResultOf("prompts/list", (result) => {
      result._meta = { _internal: true };
    }),
    fails: ["meta-keys-valid"],
  },
  {
    name: "a trace context is made up",
    revision: modern,
    message: inResultOf("prompts/list", (result) => {
      result._meta = { ...(result._meta as JsonObject), traceparent: "my-trace" };
    }),
    fails: ["trace-context-format"],
  },
  {
    name: "an extension has no prefix",
    revision: modern,
    message: inResultOf("server/discover", ({ capabilities }) => {
      (capabilities as JsonObject).extensions = { widgets: {} };
    }),
    fails: ["extension-ids-valid"],
  },
  {
    name: "an output schema is none",
    revision: legacy,
    message: inItem("tools/list", "tools", "json_schema_2020_12_tool", (tool) => {
      tool.outputSchema = { type: "object", properties: { total: { type: "money" } } };
    }),
    fails: ["output-schemas-valid"],
  },
  {
    name: "an image in a prompt has no MIME type",
    revision: legacy,
    message: inResultOf(
      "prompts/get",
      ({ messages }) => {
        const image = (messages as { content: JsonObject }[]).find(({ content }) => content.type === "image");
        if (image) image.content.mimeType = "picture";
      },
      "test_prompt_with_image",
    ),
    fails: ["prompt-content-complete"],
  },
];
