/** @module Faults in how a stateless server takes the envelope. */
import type { JsonObject } from "@fettle/mcp";
import { answering, asks, type Mutation, metaOf, refusing } from "./mutation.ts";

const version = "io.modelcontextprotocol/protocolVersion";
const capabilities = "io.modelcontextprotocol/clientCapabilities";
const info = "io.modelcontextprotocol/clientInfo";
const discovered: JsonObject = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: {},
  ttlMs: 0,
  cacheScope: "private",
};

const revision = "2026-07-28";

export const envelopeMutations: Mutation[] = [
  {
    name: "a request without _meta is served",
    revision,
    answer: answering((request) => asks(request, "server/discover") && !metaOf(request), discovered),
    fails: ["modern-meta-missing"],
  },
  {
    name: "an envelope without a version is served",
    revision,
    answer: answering((request) => Boolean(metaOf(request)) && !(version in metaOf(request)!), discovered),
    fails: ["modern-missing-protocol-version"],
  },
  {
    name: "an envelope without capabilities is refused with another code",
    revision,
    answer: refusing(
      (request) => Boolean(metaOf(request)) && !(capabilities in metaOf(request)!),
      -32600,
      400,
    ),
    fails: ["modern-missing-client-capabilities"],
  },
  {
    name: "a client that does not say who it is is turned away",
    revision,
    answer: refusing((request) => Boolean(metaOf(request)) && !(info in metaOf(request)!), -32602, 400),
    fails: ["modern-client-info-optional"],
  },
  {
    name: "an unknown version is refused without saying which are known",
    revision,
    message: (message) => {
      const error = message.error as JsonObject | undefined;
      if (error?.code === -32022) delete (error.data as JsonObject).supported;
      return message;
    },
    fails: ["modern-unsupported-version-error", "wire-schema-valid"],
  },
  {
    name: "an unknown version is refused inside HTTP 200",
    revision,
    head: (head, request) => {
      if (metaOf(request)?.[version] === "1999-01-01") head.status = 200;
    },
    fails: ["modern-unsupported-version-error"],
  },
  {
    name: "ping is still answered",
    revision,
    answer: answering((request) => asks(request, "ping"), { resultType: "complete" }),
    fails: ["modern-removed-methods-not-found"],
  },
  {
    name: "a removed method is refused inside HTTP 200",
    revision,
    head: (head, request) => {
      if (asks(request, "logging/setLevel")) head.status = 200;
    },
    fails: ["modern-removed-methods-not-found"],
  },
  {
    name: "a client is asked for what it did not declare",
    revision,
    answer: answering(
      (request) => request.body?.params !== undefined && namedIn(request.body) === "test_missing_capability",
      {
        resultType: "input_required",
        inputRequests: {
          answer: {
            method: "sampling/createMessage",
            params: { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 9 },
          },
        },
      },
    ),
    fails: ["capabilities-not-remembered", "modern-undeclared-capability-error"],
  },
  {
    name: "required capabilities are named as a list",
    revision,
    message: (message) => {
      const error = message.error as JsonObject | undefined;
      if (error?.code === -32021) (error.data as JsonObject).requiredCapabilities = ["sampling"];
      return message;
    },
    fails: ["modern-undeclared-capability-error", "wire-schema-valid"],
  },
  {
    name: "a request of the server's own comes on a call's stream",
    revision,
    message: (message, { body }) =>
      body && namedIn(body) === "test_streaming_elicitation" && message.result
        ? [{ jsonrpc: "2.0", id: "s1", method: "roots/list", params: {} }, message]
        : message,
    fails: ["modern-no-independent-requests-on-stream"],
  },
  {
    name: "a list does not say the type of its result",
    revision,
    message: (message, request) => {
      if (asks(request, "prompts/list")) delete (message.result as JsonObject).resultType;
      return message;
    },
    fails: ["modern-result-type-present", "wire-schema-valid"],
  },
];

function namedIn(body: JsonObject): unknown {
  return (body.params as JsonObject | undefined)?.name;
}
