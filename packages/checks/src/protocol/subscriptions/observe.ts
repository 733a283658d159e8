/** @module Looking at `subscriptions/listen`: two streams with different filters, and a change that only one of them asked for. */
import { type Inbound, isObject, type JsonObject } from "@fettle/mcp";
import type { Exchange } from "../conversation/exchange.ts";
import { capabilitiesOf } from "../conversation/talk.ts";
import { namesOf } from "../lists/observe.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

export interface SubscriptionSeen {
  /** A stream for changes of one resource, up to its acknowledgement; undefined where none is offered or listed. */
  resourceListening: { uri: string; exchange: Exchange } | undefined;
  subscriptions: Subscriptions | { kind: "nothing-to-subscribe" };
}

declare module "../seen.ts" {
  interface ProtocolSeen extends SubscriptionSeen {}
}

interface Subscriptions {
  kind: "listened";
  filter: JsonObject;
  /** Everything the server can tell. */
  wide: Exchange;
  /** The same without changes of the tools, when something else is left. */
  narrow: Exchange | undefined;
  /** Changes that were brought about meanwhile, by the notification they should cause. */
  triggered: string[];
}

export const acknowledged = "notifications/subscriptions/acknowledged";
export const listChanged = {
  tools: "notifications/tools/list_changed",
  prompts: "notifications/prompts/list_changed",
} as const;

const triggers = { tools: "test_trigger_tool_change", prompts: "test_trigger_prompt_change" } as const;

/** How long a stream is watched once it was acknowledged and has nothing to tell. */
const quietMs = 400;

export function subscriptionObservers({ talk, timeoutMs }: RunContext): ObserversOf<SubscriptionSeen> {
  // The acknowledgement may take as long as any answer, on a busy machine too; what is left is for the check to say that none came.
  const patience = { totalMs: timeoutMs / 2, idleMs: timeoutMs / 2 };
  return {
    resourceListening: async (look) => {
      const { resources } = capabilitiesOf(await look("opening"));
      const [uri] = namesOf(await look("resources"), "uri");
      if (!isObject(resources) || resources.subscribe !== true || uri === undefined) return undefined;
      const exchange = await talk.ask(
        "subscriptions/listen",
        { notifications: { resourceSubscriptions: [uri] } },
        { window: patience, until: ({ kind }) => kind === "notification" },
      );
      return { uri, exchange };
    },
    subscriptions: async (look) => {
      const filter = filterFor(capabilitiesOf(await look("opening")));
      if (Object.keys(filter).length === 0) return { kind: "nothing-to-subscribe" };
      const { toolsListChanged: _tools, ...others } = filter;
      const canTrigger = filter.toolsListChanged === true && filter.promptsListChanged === true;
      const changes = canTrigger ? await changesToMake(look) : [];
      const watching =
        changes.length > 0
          ? { window: { totalMs: timeoutMs, idleMs: timeoutMs } }
          : { window: patience, lingerMs: quietMs };
      const acks = gate(Object.keys(others).length > 0 ? 2 : 1);
      const listen = (notifications: JsonObject) =>
        talk
          .ask(
            "subscriptions/listen",
            { notifications },
            { ...watching, until: stopper(changes, acks.arrive) },
          )
          .finally(acks.arrive);
      const streams = [listen(filter), Object.keys(others).length > 0 ? listen(others) : undefined] as const;
      await Promise.race([acks.all, Promise.allSettled(streams)]);
      for (const change of changes) await talk.ask("tools/call", { name: triggers[change], arguments: {} });
      const [wide, narrow] = await Promise.all(streams);
      // The fixture is left as it was.
      for (const change of changes) await talk.ask("tools/call", { name: triggers[change], arguments: {} });
      return {
        kind: "listened",
        filter,
        wide,
        narrow,
        triggered: changes.map((change) => listChanged[change]),
      };
    },
  };
}

function filterFor(capabilities: JsonObject): JsonObject {
  const tells = (family: string) => {
    const capability = capabilities[family];
    return isObject(capability) && capability.listChanged === true;
  };
  return {
    ...(tells("tools") && { toolsListChanged: true }),
    ...(tells("prompts") && { promptsListChanged: true }),
    ...(tells("resources") && { resourcesListChanged: true }),
  };
}

/** Only fixtures change anything, and only once the lists were walked that the changes would disturb. */
async function changesToMake(look: ProtocolLook): Promise<("tools" | "prompts")[]> {
  if (!(await look("hasContract"))) return [];
  await Promise.allSettled([look("tools"), look("prompts"), look("toolsAgain"), look("freshList")]);
  const tools = namesOf(await look("tools"));
  return tools.includes(triggers.tools) && tools.includes(triggers.prompts) ? ["tools", "prompts"] : [];
}

/** The stream has told enough at the last change that was made, which both streams hear of; where none is made, once it was acknowledged. */
function stopper(changes: readonly string[], onAck: () => void): (message: Inbound) => boolean {
  let told = false;
  return (message) => {
    if (message.kind !== "notification") return false;
    if (!told) {
      told = true;
      onAck();
    }
    return changes.length === 0 || message.method === listChanged.prompts;
  };
}

/** Resolves when `count` have arrived. */
function gate(count: number): { arrive: () => void; all: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = count;
  return {
    all: promise,
    arrive: () => {
      left -= 1;
      if (left === 0) resolve();
    },
  };
}
