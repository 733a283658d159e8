/** @module What a protocol check is, and to which servers it applies. */
import type { RuleWord } from "@fettle/contract";
import { type EraKind, eraOfVersion, type WireKind } from "@fettle/mcp";
import type { JudgingFacts, Rule } from "../verdict/rule.ts";
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
export interface ProtocolFacts extends JudgingFacts {
  era: EraKind;
  transport: WireKind;
  /** The server was reached at a loopback address. */
  isLoopback: boolean;
  /** The operator says that this server keeps to the fixture contract of the official suite: what is missing is untested, not irrelevant. */
  officialFixtures: boolean;
}

/** It applies to the revisions that its rules bind. */
export interface ProtocolCheck extends Check<ProtocolSeen, ProtocolFacts, ProtocolCategory> {
  /** Every transport unless said. */
  transports?: readonly WireKind[];
}

export const overHttp = ["streamable-http"] as const;

/** Revisions with a handshake; the first of them is judged over stdio alone. */
export const stateful = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
export const stateless = ["2026-07-28"] as const;
export const everyRevision = [...stateful, ...stateless] as const;

/** Of a list of revisions those from this one on. */
export function from(first: string, revisions: readonly string[] = everyRevision): string[] {
  return revisions.filter((revision) => revision >= first);
}

/** Those with a handshake and Streamable HTTP. */
export const statefulHttp = from("2025-03-26", stateful);

export function bindsEra({ rules }: Pick<ProtocolCheck, "rules">, era: EraKind): boolean {
  return rules.some(({ binds = everyRevision }) => binds.some((version) => eraOfVersion(version) === era));
}

/** Why a check does not apply to this target, beyond its revision; the check's own `unless` comes last. */
export function reasonNotToApply(check: ProtocolCheck, facts: ProtocolFacts): string | undefined {
  const { transport } = facts;
  if (check.transports && !check.transports.includes(transport)) return `It does not apply to ${transport}.`;
  return check.unless?.(facts);
}

const pages = "https://modelcontextprotocol.io/specification";

/**
 * A sentence of the specification, at its address in each of the revisions that have it.
 *
 * @example
 * rules: [...spec("MUST", stateless, "Error handling", "server/resources#error-handling")]
 */
export function spec(word: RuleWord, revisions: readonly string[], title: string, path: string): Rule[] {
  return revisions.map((revision) => ({
    word,
    title,
    url: `${pages}/${revision}/${path}`,
    revision,
    binds: [revision],
  }));
}
