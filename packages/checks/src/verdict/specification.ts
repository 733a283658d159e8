/** @module The revisions of the specification, and a rule for each that has the sentence. */
import type { RuleWord } from "@fettle/contract/servers";
import type { Rule } from "./rule.ts";

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
