/** @module Faults in listening streams. */
import type { JsonObject } from "@fettle/mcp";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import { asks, type Mutation, refusing } from "./mutation.ts";

const revision = "2026-07-28";
const acknowledged = "notifications/subscriptions/acknowledged";
const subscriptionKey = "io.modelcontextprotocol/subscriptionId";
const listens = (request: ProxiedRequest) => asks(request, "subscriptions/listen");

function filterOf({ body }: ProxiedRequest): JsonObject {
  return ((body?.params as JsonObject | undefined)?.notifications ?? {}) as JsonObject;
}

export const subscriptionMutations: Mutation[] = [
  {
    name: "subscriptions are advertised and not there",
    revision,
    apart: true,
    answer: refusing(listens, -32601, 404),
    fails: ["listen-resource-updates", "modern-subscription-ack-precedes-notifications"],
  },
  {
    name: "a change is told before the acknowledgement",
    revision,
    message: (message, request) =>
      listens(request) && message.method === acknowledged
        ? [
            {
              jsonrpc: "2.0",
              method: "notifications/prompts/list_changed",
              params: (message.params as JsonObject)._meta
                ? { _meta: (message.params as JsonObject)._meta }
                : {},
            },
            message,
          ]
        : message,
    fails: ["listen-resource-updates", "modern-subscription-ack-precedes-notifications"],
  },
  {
    name: "a change is not marked with its subscription",
    revision,
    message: (message, request) => {
      if (listens(request) && String(message.method).endsWith("list_changed")) {
        delete ((message.params as JsonObject)._meta as JsonObject)[subscriptionKey];
      }
      return message;
    },
    fails: ["modern-subscription-filter-and-tagging"],
  },
  {
    name: "everyone is told everything",
    revision,
    message: (message, request) =>
      listens(request) && !filterOf(request).toolsListChanged && message.method === acknowledged
        ? [
            message,
            {
              jsonrpc: "2.0",
              method: "notifications/tools/list_changed",
              params: message.params as JsonObject,
            },
          ]
        : message,
    fails: ["modern-subscription-filter-and-tagging"],
  },
  {
    name: "a change of the tools is not told",
    revision,
    message: (message, request) =>
      listens(request) && message.method === "notifications/tools/list_changed" ? undefined : message,
    advises: ["modern-subscription-list-changed-delivery"],
  },
  {
    name: "a listening stream ends without a word",
    revision,
    apart: true,
    endsStream: (message, request) => listens(request) && message.method === acknowledged,
    advises: ["modern-subscription-graceful-close"],
  },
];
