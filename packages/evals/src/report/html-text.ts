/** @module Text in an HTML report: whatever anybody said is escaped, and the signs and numbers are the same everywhere. */
import { escapeHidden } from "@fettle/contract/formats";
import { redactText } from "@fettle/contract/secrets";

/** Of one text; a file that a browser cannot open helps nobody. */
const longestText = 4_000;

/** Secrets out, cut, hidden characters spelled, then escaped: the order matters. */
export function text(value: string): string {
  const clean = redactText(value);
  const short = clean.length > longestText ? `${clean.slice(0, longestText)}…` : clean;
  return escapeHidden(short).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export type Outcome = "passed" | "failed" | "inconclusive";

export const mark = (outcome: Outcome) => (outcome === "passed" ? "✓" : outcome === "failed" ? "✗" : "–");
export const percent = (share: number) => `${Math.round(share * 100)} %`;
export const seconds = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
