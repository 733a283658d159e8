/** @module Hearing of changes: `subscriptions/listen` in the stateless revision, resource subscriptions and the listening stream before it. */
import { abortFailure, asMcpError, McpError } from "../failure.ts";
import { isObject, type JsonObject, type RequestId } from "../messages/jsonrpc.ts";
import { metaKeys } from "../messages/stateless-meta.ts";
import type { Connection } from "./connection.ts";

export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
}

/** `graceful`: the server ended it properly. `cancelled`: we did. `remote`: the stream broke off. */
export type SubscriptionOutcome = "graceful" | "cancelled" | "remote" | "error";

export interface Subscription {
  /** What the server agreed to send; where the era has no acknowledgement, what its capabilities offer. Empty when it is nothing. */
  acknowledged: SubscriptionFilter;
  /** Settles once, and never rejects. */
  ended: Promise<{ outcome: SubscriptionOutcome; failure?: McpError }>;
  close(): Promise<void>;
}

export type ChangeListener = (method: string, params: JsonObject) => void;

/**
 * Subscribes and resolves once the server has agreed.
 *
 * @example
 * const subscription = await subscribe(connection, { toolsListChanged: true }, (method) => console.log(method));
 */
export function subscribe(
  connection: Connection,
  filter: SubscriptionFilter,
  onChange: ChangeListener,
  options: { signal?: AbortSignal } = {},
): Promise<Subscription> {
  return connection.era === "stateless"
    ? subscribeStateless(connection, filter, onChange, options.signal)
    : subscribeStateful(connection, filter, onChange, options.signal);
}

const acknowledgement = "notifications/subscriptions/acknowledged";

async function subscribeStateless(
  connection: Connection,
  filter: SubscriptionFilter,
  onChange: ChangeListener,
  signal: AbortSignal | undefined,
): Promise<Subscription> {
  const stop = new AbortController();
  const agreed = Promise.withResolvers<SubscriptionFilter>();
  let id: RequestId | undefined;
  const forget = connection.onNotification((method, params) => {
    const meta = isObject(params._meta) ? params._meta : {};
    if (id === undefined || meta[metaKeys.subscriptionId] !== id) return;
    if (method === acknowledgement)
      agreed.resolve(agreedOf(filter, isObject(params.notifications) ? params.notifications : {}));
    else onChange(method, params);
  });
  const ended = connection
    .request(
      "subscriptions/listen",
      { notifications: { ...filter } },
      {
        openEnded: true,
        signal: signal ? AbortSignal.any([stop.signal, signal]) : stop.signal,
        onId: (given) => {
          id = given;
        },
      },
    )
    .then(
      (): EndOfSubscription => ({ outcome: "graceful" }),
      (error: unknown): EndOfSubscription => {
        const failure = asMcpError(error);
        agreed.reject(failure);
        return { outcome: outcomeOf(failure), failure };
      },
    )
    .finally(forget);
  const { idleMs } = connection.link.timeouts;
  const late = setTimeout(() => {
    const failure = new McpError("TIMEOUT", `The subscription was not acknowledged within ${idleMs} ms.`, {
      details: { method: "subscriptions/listen", phase: "acknowledgement", timeoutMs: idleMs },
    });
    agreed.reject(failure);
    stop.abort(failure);
  }, idleMs);
  try {
    const acknowledged = await agreed.promise;
    return {
      acknowledged,
      ended,
      async close() {
        stop.abort();
        await ended;
      },
    };
  } finally {
    clearTimeout(late);
  }
}

async function subscribeStateful(
  connection: Connection,
  filter: SubscriptionFilter,
  onChange: ChangeListener,
  signal: AbortSignal | undefined,
): Promise<Subscription> {
  const offered = offeredOf(filter, connection.capabilities);
  const uris = offered.resourceSubscriptions ?? [];
  const stopped = Promise.withResolvers<EndOfSubscription>();
  const wanted = wantedMethods(filter);
  const forget = connection.onNotification((method, params) => {
    if (!wanted.has(method)) return;
    if (method === "notifications/resources/updated" && !uris.includes(String(params.uri))) return;
    onChange(method, params);
  });
  try {
    await connection.listen();
    for (const uri of uris) await connection.request("resources/subscribe", { uri }, { signal });
  } catch (error) {
    forget();
    throw error;
  }
  const onAbort = () => signal && stopped.resolve({ outcome: "cancelled", failure: abortFailure(signal) });
  signal?.addEventListener("abort", onAbort, { once: true });
  connection.closed.then((failure) => stopped.resolve({ outcome: "remote", failure }));
  const ended = stopped.promise.finally(() => {
    forget();
    signal?.removeEventListener("abort", onAbort);
  });
  return {
    acknowledged: offered,
    ended,
    async close() {
      stopped.resolve({ outcome: "cancelled" });
      await ended;
      for (const uri of uris) {
        // The server may be gone already; then there is nothing left to unsubscribe.
        await connection.request("resources/unsubscribe", { uri }).catch(() => {});
      }
    },
  };
}

/** Of what was asked, that to which the server said yes. */
function agreedOf(filter: SubscriptionFilter, said: JsonObject): SubscriptionFilter {
  const uris = Array.isArray(said.resourceSubscriptions) ? said.resourceSubscriptions : [];
  const resources = filter.resourceSubscriptions?.filter((uri) => uris.includes(uri)) ?? [];
  return {
    ...(filter.toolsListChanged && said.toolsListChanged === true && { toolsListChanged: true }),
    ...(filter.promptsListChanged && said.promptsListChanged === true && { promptsListChanged: true }),
    ...(filter.resourcesListChanged && said.resourcesListChanged === true && { resourcesListChanged: true }),
    ...(resources.length > 0 && { resourceSubscriptions: resources }),
  };
}

/** Before there was an acknowledgement, the capabilities said who tells of changes. */
function offeredOf(filter: SubscriptionFilter, capabilities: JsonObject): SubscriptionFilter {
  const declares = (feature: string, what: string) => {
    const declared = capabilities[feature];
    return isObject(declared) && declared[what] === true;
  };
  return agreedOf(filter, {
    toolsListChanged: declares("tools", "listChanged"),
    promptsListChanged: declares("prompts", "listChanged"),
    resourcesListChanged: declares("resources", "listChanged"),
    resourceSubscriptions: declares("resources", "subscribe") ? filter.resourceSubscriptions : [],
  });
}

interface EndOfSubscription {
  outcome: SubscriptionOutcome;
  failure?: McpError;
}

function wantedMethods(filter: SubscriptionFilter): Set<string> {
  const methods = new Set<string>();
  if (filter.toolsListChanged) methods.add("notifications/tools/list_changed");
  if (filter.promptsListChanged) methods.add("notifications/prompts/list_changed");
  if (filter.resourcesListChanged) methods.add("notifications/resources/list_changed");
  if (filter.resourceSubscriptions?.length) methods.add("notifications/resources/updated");
  return methods;
}

function outcomeOf(failure: McpError): SubscriptionOutcome {
  if (failure.code === "ABORTED") return "cancelled";
  const broken = ["NO_ANSWER", "CONNECTION_CLOSED", "CONNECTION_RESET", "PROCESS_EXITED", "NETWORK"];
  return broken.includes(failure.code) ? "remote" : "error";
}
