/** @module What stands of each fault of the wire beside its sentence: the rule it breaks, how much that matters to clients, and what to do. */
import type { RuleWord } from "@fettle/contract/servers";
import type { WireKind, WireProblemCode } from "@fettle/mcp";
import type { Rule } from "../verdict/rule.ts";

export interface WireRule {
  code: WireProblemCode;
  /** The check or advice of the protocol suite that tells it. */
  checkId: string;
  /** The sentence in each revision that it binds. */
  rules: readonly Rule[];
  /** Every transport unless said. */
  transports?: readonly WireKind[];
  /** What it is a fault of, where that is not the connection. */
  part?: "tools" | "prompts";
  /** Common clients do not get the message, or stop: the server does not work with them. */
  breaksClients: boolean;
  hint: string;
}

/** A sentence of another standard, which binds every revision. */
export const standard = (word: RuleWord, title: string, url: string, revision: string): Rule[] => [
  { word, title, url, revision },
];
