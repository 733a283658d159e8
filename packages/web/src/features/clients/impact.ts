/** @module What an edit of a client would follow, in words. */
import type { ClientImpact } from "@fettle/contract/environments";

export function impactTotal(impact: ClientImpact): number {
  return Object.values(impact).reduce((sum, count) => sum + count, 0);
}

/**
 * @example
 * impactWords({ liveEnvironmentCount: 2, scenarioAttachmentCount: 1, activeLegacyJourneyCount: 0 }) // "2 environments, 1 scenario"
 */
export function impactWords(impact: ClientImpact): string {
  const said = [
    counted(impact.liveEnvironmentCount, "environment"),
    counted(impact.scenarioAttachmentCount, "scenario"),
    counted(impact.activeLegacyJourneyCount, "journey"),
  ].filter(Boolean);
  return said.join(", ") || "nothing";
}

function counted(count: number, noun: string): string {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
