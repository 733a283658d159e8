/** @module The faults that the official suite keeps example servers for, brought into our good one. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { asks, inItem, type Mutation, resultInstead } from "./mutation.ts";

export interface KnownBad extends Mutation {
  /** The official scenario that must fail. */
  scenario: string;
}

export const knownBad: KnownBad[] = [
  {
    name: "no protection from DNS rebinding",
    revision: "2025-11-25",
    scenario: "dns-rebinding-protection",
    request: ({ headers }) => {
      headers.host = "127.0.0.1";
      delete headers.origin;
    },
    fails: ["localhost-host-rebinding-rejected"],
  },
  {
    name: "empty contents for a missing resource",
    revision: "2026-07-28",
    scenario: "sep-2164-resource-not-found",
    message: (message, request) =>
      asks(request, "resources/read") && message.error
        ? {
            jsonrpc: "2.0",
            id: message.id,
            result: { resultType: "complete", ttlMs: 0, cacheScope: "private", contents: [] },
          }
        : message,
    fails: ["resource-read-no-empty-contents"],
  },
  {
    name: "stripped schema keywords",
    revision: "2025-11-25",
    scenario: "json-schema-2020-12",
    message: inItem("tools/list", "tools", "json_schema_2020_12_tool", ({ inputSchema }) => {
      const schema = inputSchema as JsonObject;
      for (const keyword of ["$schema", "$defs", "additionalProperties"]) delete schema[keyword];
    }),
    fails: ["tools-schema-keywords-preserved"],
  },
  {
    name: "a tool without a description",
    revision: "2025-11-25",
    scenario: "tools-list",
    message: inItem("tools/list", "tools", "test_simple_text", (tool) => delete tool.description),
    fails: ["tools-list"],
  },
  {
    name: "progress that never comes",
    revision: "2025-11-25",
    scenario: "tools-call-with-progress",
    message: (message) => (message.method === "notifications/progress" ? undefined : message),
    fails: ["tools-call-progress"],
  },
  {
    name: "a tool error that is none",
    revision: "2025-11-25",
    scenario: "tools-call-error",
    answer: (request) =>
      asks(request, "tools/call", "test_error_handling")
        ? resultInstead(request, { content: [{ type: "text", text: "All is well." }] })
        : undefined,
    fails: ["tools-call-error"],
  },
  {
    name: "missing cache hints",
    revision: "2026-07-28",
    scenario: "caching",
    message: (message) => {
      if (isObject(message.result)) {
        delete message.result.ttlMs;
        delete message.result.cacheScope;
      }
      return message;
    },
    fails: ["modern-cache-hint-coverage"],
  },
  {
    name: "altered state that is taken",
    revision: "2026-07-28",
    scenario: "input-required-result-tampered-state",
    answer: (request) => {
      const { params } = request.body ?? {};
      const isRetry = isObject(params) && "inputResponses" in params;
      return asks(request, "tools/call", "test_input_required_result_tampered_state") && isRetry
        ? resultInstead(request, { resultType: "complete", content: [{ type: "text", text: "state-ok" }] })
        : undefined;
    },
    fails: ["mrtr-tampered-state"],
  },
  {
    name: "an asking result without its type",
    revision: "2026-07-28",
    scenario: "input-required-result-basic-elicitation",
    message: (message) => {
      if (isObject(message.result) && message.result.resultType === "input_required")
        delete message.result.resultType;
      return message;
    },
    fails: ["mrtr-result-type", "modern-result-type-present"],
  },
];
