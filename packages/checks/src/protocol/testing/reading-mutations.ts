/** @module Faults in resources and prompts. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { asks, errorInstead, firstOf, inItem, inResultOf, type Mutation, resultInstead } from "./mutation.ts";

const missing = "test://fettle-no-such-resource";
const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

const inPrompt = (name: string, change: (result: JsonObject) => void) =>
  inResultOf("prompts/get", change, name);

export const readingMutations: Mutation[] = [
  {
    name: "a resource has no name",
    revision: "2025-11-25",
    message: inItem("resources/list", "resources", "test://static-text", (resource) => delete resource.name),
    fails: ["resources-list", "wire-schema-valid"],
  },
  {
    name: "a listed resource is refused",
    revision: "2025-11-25",
    answer: (request) =>
      asks(request, "resources/read", "test://static-text") ? errorInstead(request, -32602) : undefined,
    fails: ["resources-read-text"],
  },
  {
    name: "a resource's blob is not base64",
    revision: "2026-07-28",
    message: inResultOf(
      "resources/read",
      (result) => {
        firstOf(result, "contents").blob = "not base64!";
      },
      "test://static-binary",
    ),
    fails: ["resources-read-binary"],
  },
  {
    name: "contents have neither text nor blob",
    revision: "2025-11-25",
    message: inResultOf(
      "resources/read",
      (result) => delete firstOf(result, "contents").blob,
      "test://static-binary",
    ),
    fails: ["resources-read-binary", "wire-schema-valid"],
  },
  {
    name: "a template does not close its brace",
    revision: "2026-07-28",
    message: inResultOf("resources/templates/list", ({ resourceTemplates }) => {
      (resourceTemplates as JsonObject[]).push({ name: "broken", uriTemplate: "test://broken/{id" });
    }),
    fails: ["resources-templates-read"],
  },
  {
    name: "a template brings the same for every value",
    revision: "2025-11-25",
    message: inResultOf(
      "resources/read",
      (result) => {
        result.contents = [{ uri: "test://template", text: "Always this" }];
      },
      "test://template/123/data",
    ),
    advises: ["resources-templates-read"],
  },
  {
    name: "subscribing brings an answer",
    revision: "2025-11-25",
    message: inResultOf("resources/subscribe", (result) => {
      result.subscribed = true;
    }),
    fails: ["resources-subscribe"],
  },
  {
    name: "unsubscribing is refused",
    revision: "2025-11-25",
    answer: (request) => (asks(request, "resources/unsubscribe") ? errorInstead(request, -32602) : undefined),
    fails: ["resources-unsubscribe"],
  },
  {
    name: "unsubscribing is unknown",
    revision: "2025-11-25",
    apart: true,
    answer: (request) => (asks(request, "resources/unsubscribe") ? errorInstead(request, -32601) : undefined),
    advises: ["resources-unsubscribe"],
  },
  {
    name: "a resource that is not there is served",
    revision: "2026-07-28",
    apart: true,
    answer: (request) =>
      asks(request, "resources/read", missing)
        ? resultInstead(request, { ...hints, contents: [{ uri: missing, text: "Here!" }] })
        : undefined,
    fails: ["resource-not-found"],
  },
  {
    name: "a resource that is not there is an empty list",
    revision: "2026-07-28",
    apart: true,
    answer: (request) =>
      asks(request, "resources/read", missing)
        ? resultInstead(request, { ...hints, contents: [] })
        : undefined,
    fails: ["resource-not-found", "resource-read-no-empty-contents"],
  },
  {
    name: "the error for a missing resource does not say which",
    revision: "2026-07-28",
    message: (message, request) => {
      if (asks(request, "resources/read") && isObject(message.error)) delete message.error.data;
      return message;
    },
    advises: ["resource-error-uri-echo"],
  },
  {
    name: "a prompt has no name",
    revision: "2026-07-28",
    apart: true,
    message: inItem("prompts/list", "prompts", "test_simple_prompt", (prompt) => delete prompt.name),
    fails: ["prompts-list", "wire-schema-valid"],
  },
  {
    name: "a prompt has no messages",
    revision: "2025-11-25",
    message: inPrompt("test_simple_prompt", (result) => {
      result.messages = [];
    }),
    advises: ["prompts-get-simple"],
  },
  {
    name: "a prompt's message has a role that does not exist",
    revision: "2026-07-28",
    message: inPrompt("test_simple_prompt", (result) => {
      firstOf(result, "messages").role = "system";
    }),
    fails: ["prompts-get-simple", "wire-schema-valid"],
  },
  {
    name: "a prompt forgets its arguments",
    revision: "2025-11-25",
    request: ({ body }) => {
      const { params } = body ?? {};
      if (
        body?.method === "prompts/get" &&
        isObject(params) &&
        params.name === "test_prompt_with_arguments"
      ) {
        const given = params.arguments as JsonObject;
        if (given.arg1 !== undefined) params.arguments = { arg1: "something", arg2: "else" };
      }
    },
    advises: ["prompts-get-args"],
  },
  {
    name: "a prompt's resource has no address",
    revision: "2026-07-28",
    apart: true,
    message: inPrompt("test_prompt_with_embedded_resource", (result) => {
      for (const { content } of result.messages as { content: JsonObject }[])
        if (content.type === "resource") delete (content.resource as JsonObject).uri;
    }),
    fails: ["prompts-get-embedded-resource", "wire-schema-valid"],
  },
  {
    name: "a prompt loses its resource",
    revision: "2026-07-28",
    message: inPrompt("test_prompt_with_embedded_resource", (result) => {
      result.messages = (result.messages as JsonObject[]).slice(1);
    }),
    advises: ["prompts-get-embedded-resource"],
  },
  {
    name: "a prompt's image is not base64",
    revision: "2025-11-25",
    message: inPrompt("test_prompt_with_image", (result) => {
      (firstOf(result, "messages").content as JsonObject).data = "not base64!";
    }),
    fails: ["prompts-get-image"],
  },
  {
    name: "a prompt is given without the argument it requires",
    revision: "2026-07-28",
    answer: (request) => {
      const { params } = request.body ?? {};
      const isIncomplete =
        isObject(params) && isObject(params.arguments) && params.arguments.arg1 === undefined;
      const messages = [{ role: "user", content: { type: "text", text: "undefined" } }];
      return asks(request, "prompts/get", "test_prompt_with_arguments") && isIncomplete
        ? resultInstead(request, { resultType: "complete", messages })
        : undefined;
    },
    advises: ["prompts-get-missing-argument"],
  },
];
