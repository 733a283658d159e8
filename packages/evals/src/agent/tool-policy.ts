/** @module Which calls may reach a server. A policy over what servers say of their own tools: a precaution, not a guarantee. Pure but for the person who approves. */
import { ModelError } from "../models/model.ts";
import { annotationsOf, type CatalogTool, type ToolCatalog } from "./tool-catalog.ts";
import type { PolicyBlock, PolicyReason } from "./trace.ts";

export interface ToolPolicy {
  mode?: "default" | "readOnly";
  /** Exempt from everything below but `deny`; not a list of all that may be called. */
  allow?: readonly string[];
  /** By a tool's own name, or `server/tool`. */
  deny?: readonly string[];
  /** What was there when the run was launched, as `server/tool`; later ones are blocked. */
  knownTools?: ReadonlySet<string>;
  /** What it blocks is not offered to the model either, as in a conversation. */
  hidesBlocked?: boolean;
}

export interface ApprovalRequest {
  toolCallId: string;
  server: string;
  toolName: string;
  arguments: Record<string, unknown>;
  /** It says of itself that it changes nothing. */
  isReadOnly: boolean;
}

/** Asked for each call that the policy lets through, where a host wants it; nobody there to ask means no. */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<boolean>;

export type PolicyDecision =
  | { allowed: true; reason: PolicyReason }
  | { allowed: false; reason: PolicyReason; classification: PolicyBlock["classification"] };

type NamedTool = Pick<CatalogTool, "server" | "name" | "tool">;

/** The order is the rule: the first that applies decides. */
export function decideCall(policy: ToolPolicy | undefined, entry: NamedTool): PolicyDecision {
  if (!policy) return { allowed: true, reason: "modeDefault" };
  const classification = classify(entry);
  const blocked = (reason: PolicyReason): PolicyDecision => ({ allowed: false, reason, classification });
  if (names(policy.deny, entry)) return blocked("denyList");
  if (policy.knownTools && !policy.knownTools.has(`${entry.server}/${entry.name}`)) {
    return blocked("unknownAtLaunch");
  }
  if (names(policy.allow, entry)) return { allowed: true, reason: "allowList" };
  if (classification === "destructive" || classification === "contradictory") {
    return blocked("destructiveDefaultDeny");
  }
  if (policy.mode !== "readOnly") return { allowed: true, reason: "modeDefault" };
  return classification === "readOnly"
    ? { allowed: true, reason: "readOnlyModeClassified" }
    : blocked("readOnlyModeUnclassified");
}

function classify({ tool }: NamedTool): PolicyBlock["classification"] {
  const { destructiveHint, readOnlyHint } = annotationsOf(tool);
  if (destructiveHint === true) return readOnlyHint === true ? "contradictory" : "destructive";
  return readOnlyHint === true ? "readOnly" : "unclassified";
}

function names(list: readonly string[] | undefined, { server, name }: NamedTool): boolean {
  return list?.some((entry) => entry === name || entry === `${server}/${name}`) ?? false;
}

/** A denied name that no tool has would give a false sense of safety, so it is refused; an allowed one is only told. */
export function checkPolicy(policy: ToolPolicy, catalog: ToolCatalog): string[] {
  const isUnknown = (entry: string) => !catalog.tools.some((known) => names([entry], known));
  const strange = (policy.deny ?? []).filter(isUnknown);
  if (strange.length > 0) {
    throw new ModelError(
      "TOOL_POLICY_INVALID",
      `The tool policy denies what no server has: ${strange.join(", ")}.`,
      {
        hint: `There are ${catalog.tools.map(({ name }) => name).join(", ") || "no tools"}.`,
      },
    );
  }
  return (policy.allow ?? [])
    .filter(isUnknown)
    .map((entry) => `The tool policy allows "${entry}", which no server has.`);
}
