/** @module What a widget may ask of the host, each with what is asked of its person first. */
import { ApiError } from "@fettle/contract/core";
import type { AskedByWidget } from "../../api/widget-server.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";
import { approvalOf } from "./approvals.ts";
import { Refused } from "./bridge.ts";
import { type Decision, decideLink, decideToolCall, gateLimits } from "./gate.ts";
import type { WidgetShown } from "./widget-host.ts";
import type { WidgetStore, Wish } from "./widget-state.ts";

export type WidgetRequests = Record<
  string,
  (params: JsonObject, signal: AbortSignal) => Promise<JsonObject> | JsonObject
>;

/** Of a person, who may; not of a rule. */
class SaidNo extends Refused {}

/** Those that concern the server, the person and the model; the page's own are the host's. */
export function widgetRequests(
  store: WidgetStore,
  { server, tools, onSay }: Pick<WidgetShown, "server" | "tools" | "onSay">,
): WidgetRequests {
  const allowedTools = new Set<string>();
  const recent: number[] = [];
  const inTurn = createPlaces(gateLimits.atOnce);

  /** Resolves when a person has said yes; a no is thrown. */
  function permitted(decision: Decision, wish: Omit<Wish, "say">, signal: AbortSignal): Promise<void> {
    if (decision.kind === "allow") return Promise.resolve();
    if (decision.kind === "deny") return Promise.reject(new Refused(decision.why));
    return new Promise((resolve, reject) => {
      const drop = () => store.change({ wishes: store.get().wishes.filter((each) => each !== asked) });
      const asked: Wish = {
        ...wish,
        say: (yes, always = false) => {
          if (yes && always && wish.tool) allowedTools.add(wish.tool);
          drop();
          if (yes) resolve();
          else reject(new SaidNo("The person said no."));
        },
      };
      signal.addEventListener("abort", () => {
        drop();
        reject(new Refused("Nobody waits for it any more."));
      });
      store.change({ wishes: [...store.get().wishes, asked] });
    });
  }

  /** What the server itself answers is passed on in its own words. */
  async function ask(asked: Parameters<AskedByWidget["ask"]>[0], signal: AbortSignal): Promise<JsonObject> {
    try {
      return await server.ask(asked, signal);
    } catch (error) {
      const rpc = error instanceof ApiError ? error.details?.rpc : undefined;
      if (!isServersWord(rpc)) throw error;
      throw new Refused(rpc.message, rpc.code);
    }
  }

  async function callTool(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const input = {
      toolName: textOf(params.name),
      parameters: isJsonObject(params.arguments) ? params.arguments : {},
    };
    const { meetsCalls } = server;
    const approval = meetsCalls ?? approvalOf(server.id);
    const standing = { approval, allowedTools, recent, readsOnly: meetsCalls !== undefined };
    const decision = decideToolCall(tools, params.name, standing, Date.now());
    recent.push(Date.now());
    const wish = {
      title: `The widget wants to call ${input.toolName}`,
      ...(decision.kind === "ask" && decision.why && { why: decision.why }),
      detail: JSON.stringify(input.parameters, null, 2),
      tool: input.toolName,
    };
    await permitted(decision, wish, signal);
    return inTurn(async () => {
      const { durationMs: _, ...result } = await ask({ name: "callTool", input }, signal);
      return result;
    });
  }

  async function openLink({ url }: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const wish = { title: "The widget wants to open a page", detail: textOf(url).slice(0, 2_000) };
    try {
      await permitted(decideLink(url), wish, signal);
    } catch (refused) {
      if (refused instanceof SaidNo) return { isError: true };
      throw refused;
    }
    window.open(textOf(url), "_blank", "noopener,noreferrer");
    return {};
  }

  function say(params: JsonObject): JsonObject {
    const texts = textsOf(params.content);
    if (texts.length === 0) throw new Refused("Only text is taken, and there is none.");
    const text = texts.join("\n");
    if (text.length > gateLimits.messageLength) throw new Refused("The message is too long.");
    store.change({ said: [...store.get().said, text].slice(-20) });
    onSay?.(text);
    return {};
  }

  function updateContext(params: JsonObject): JsonObject {
    if (JSON.stringify(params).length > gateLimits.contextLength)
      throw new Refused("That is too much for the model.");
    store.change({ modelContext: params });
    return {};
  }

  const list =
    (name: "listResources" | "listResourceTemplates" | "listPrompts", member: string) =>
    async ({ cursor }: JsonObject, signal: AbortSignal): Promise<JsonObject> => {
      const input = typeof cursor === "string" ? { cursor } : {};
      const { items, nextCursor } = await ask({ name, input }, signal);
      return { [member]: items ?? [], ...(nextCursor !== undefined && { nextCursor }) };
    };

  return {
    "tools/call": callTool,
    "resources/read": ({ uri }, signal) => ask({ name: "readResource", input: { uri: textOf(uri) } }, signal),
    "resources/list": list("listResources", "resources"),
    "resources/templates/list": list("listResourceTemplates", "resourceTemplates"),
    "prompts/list": list("listPrompts", "prompts"),
    "ui/open-link": openLink,
    "ui/message": say,
    "ui/update-model-context": updateContext,
  };
}

/** A widget may ask for many things at once; the server is asked for a few, and the rest wait in order. */
function createPlaces(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (work) => {
    if (taken === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    }
  };
}

function isServersWord(rpc: unknown): rpc is { code: number; message: string } {
  return (
    typeof rpc === "object" &&
    rpc !== null &&
    "code" in rpc &&
    typeof rpc.code === "number" &&
    "message" in rpc &&
    typeof rpc.message === "string"
  );
}

function textsOf(content: Json | undefined): string[] {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.flatMap((block) =>
    isJsonObject(block) && typeof block.text === "string" ? [block.text] : [],
  );
}

/** What a widget sends may be anything, also what cannot be made a text. */
const textOf = (value: Json | undefined) => (typeof value === "string" ? value : "");
