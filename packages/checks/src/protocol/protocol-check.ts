/** @module What a protocol check is, and to which servers it applies. */

import { type EraKind, eraOfVersion, type WireKind } from "@fettle/mcp";
import type { JudgingFacts } from "../verdict/rule.ts";
import type { Check } from "../verdict/run-checks.ts";
import { everyRevision } from "../verdict/specification.ts";
import type { ProtocolSeen } from "./seen.ts";

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

export function bindsEra({ rules }: Pick<ProtocolCheck, "rules">, era: EraKind): boolean {
  return rules.some(({ binds = everyRevision }) => binds.some((version) => eraOfVersion(version) === era));
}

/** Why a check does not apply to this target, beyond its revision; the check's own `unless` comes last. */
export function reasonNotToApply(check: ProtocolCheck, facts: ProtocolFacts): string | undefined {
  const { transport } = facts;
  if (check.transports && !check.transports.includes(transport)) return `It does not apply to ${transport}.`;
  return check.unless?.(facts);
}
