/** @module What a widget may do with its server: decided in one place, before anything is asked of anybody. Pure. */
import { isJsonObject, type JsonObject } from "../../lib/json-exact.ts";
import { isForWidgets } from "./widget-link.ts";

export type Decision =
  | { kind: "allow" }
  /** A person says. */
  | { kind: "ask"; why?: string }
  | { kind: "deny"; why: string };

/** How a widget's calls are met: asked about unless the tool says it only reads, always asked about, let through, or refused. */
export const approvals = ["reads", "ask", "allow", "deny"] as const;
export type Approval = (typeof approvals)[number];

/** What a person has said: of a server's widgets, and of tools until the widget is closed. */
export interface Standing {
  approval: Approval;
  /** Nobody may let it change anything. */
  readsOnly?: boolean;
  allowedTools: ReadonlySet<string>;
  /** When calls were made in the last minute. */
  recent: readonly number[];
}

export const gateLimits = { atOnce: 4, perMinute: 30, messageLength: 8_192, contextLength: 16_384 };

/** The server's own word that a tool changes nothing is believed as far as the host that is played would. */
export function decideToolCall(
  tools: readonly (JsonObject & { name: string })[],
  name: unknown,
  standing: Standing,
  now: number,
): Decision {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return { kind: "deny", why: "The server has no such tool." };
  if (!isForWidgets(tool))
    return { kind: "deny", why: `"${tool.name}" is not for widgets: its visibility lacks "app".` };
  if (standing.recent.filter((at) => now - at < 60_000).length >= gateLimits.perMinute) {
    return { kind: "deny", why: `More than ${gateLimits.perMinute} calls in a minute.` };
  }
  if (standing.readsOnly && !isReadOnly(tool)) {
    return {
      kind: "deny",
      why: `Widgets only look things up here, and "${tool.name}" may change something.`,
    };
  }
  switch (standing.approval) {
    case "allow":
      return { kind: "allow" };
    case "deny":
      return { kind: "deny", why: "The person lets widgets call no tools." };
    case "ask":
      return { kind: "ask" };
    case "reads":
      return isReadOnly(tool) || standing.allowedTools.has(tool.name)
        ? { kind: "allow" }
        : { kind: "ask", why: "The tool does not say of itself that it changes nothing." };
  }
}

function isReadOnly({ annotations }: JsonObject): boolean {
  return isJsonObject(annotations) && annotations.readOnlyHint === true;
}

/** Only web addresses lead out, and a person sees them first. */
export function decideLink(url: unknown): Decision {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  if (!parsed) return { kind: "deny", why: "That is no address." };
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") {
    return { kind: "deny", why: `Links of ${parsed.protocol} are not opened.` };
  }
  if (parsed.username || parsed.password) return { kind: "deny", why: "The address holds credentials." };
  return { kind: "ask" };
}
