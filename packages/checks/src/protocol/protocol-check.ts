/** @module What a protocol check is, and to which servers it applies. */
import type { EraKind, WireKind } from "@fettle/mcp";
import type { Check } from "../verdict/run-checks.ts";
import type { ProtocolSeen } from "./observations.ts";

export const protocolCategories = [
  "core",
  "protocol",
  "tools",
  "prompts",
  "resources",
  "security",
  "transport",
] as const;
export type ProtocolCategory = (typeof protocolCategories)[number];

/** What is known of the target before anything is judged. */
export interface ProtocolFacts {
  version: string;
  era: EraKind;
  transport: WireKind;
  /** The server was reached at a loopback address. */
  isLoopback: boolean;
  /** The operator says that this server keeps to the fixture contract of the official suite: what is missing is untested, not irrelevant. */
  officialFixtures: boolean;
}

export interface ProtocolCheck extends Check<ProtocolSeen, ProtocolFacts, ProtocolCategory> {
  /** Both unless said. */
  eras?: readonly EraKind[];
  /** Every transport unless said. */
  transports?: readonly WireKind[];
  /** The first revision that has the rule. */
  since?: string;
}

export const overHttp = ["streamable-http"] as const;
export const stateful = ["stateful"] as const;
export const stateless = ["stateless"] as const;

export function bindsEra({ eras }: ProtocolCheck, era: EraKind): boolean {
  return eras === undefined || eras.includes(era);
}

/** Why a check does not apply to this target; the check's own `unless` comes last. */
export function reasonNotToApply(check: ProtocolCheck, facts: ProtocolFacts): string | undefined {
  const { version, era, transport } = facts;
  if (!bindsEra(check, era)) return `${version} has no such rule.`;
  if (check.since !== undefined && version < check.since) {
    return `The rule came with ${check.since}; this is ${version}.`;
  }
  if (check.transports && !check.transports.includes(transport)) return `It does not apply to ${transport}.`;
  return check.unless?.(facts);
}

const pages = "https://modelcontextprotocol.io/specification";

/** A page of the specification, in the newest revision that has it. */
export function spec(title: string, path: string, version = "2025-11-25"): { title: string; url: string } {
  return { title, url: `${pages}/${version}/${path}` };
}
