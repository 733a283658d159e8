/** @module The ways that the sessions of a wave took through the tools, found without looking for anything. Pure. */

import { must } from "@fettle/contract/formats";
import { swarmLimits, type WavePath } from "@fettle/contract/visitors";
import type { UnitFacts } from "@fettle/insights";

/** The most walked first; of as many, in the order of journey and way, so that it is told the same every time. */
export function pathsOf(facts: readonly UnitFacts[]): { paths: WavePath[]; truncated: boolean } {
  const readable = facts.flatMap(({ journey, ...one }) =>
    one.isReadable && journey !== null ? { ...one, journey } : [],
  );
  const byJourney = Map.groupBy(readable, ({ journey }) => journey.id);
  const paths = [...byJourney.values()].flatMap((ofJourney) =>
    [...Map.groupBy(ofJourney, ({ path }) => path?.id ?? "").values()].map((some): WavePath => {
      const [first] = some.toSorted((one, other) => one.unitId.localeCompare(other.unitId));
      const { journey, path, unitId } = must(first, "a session on each way");
      const judged = some.flatMap(({ judge }) => judge ?? []);
      const calls = some.flatMap((one) => one.calls);
      return {
        journeyId: journey.id,
        journeyName: journey.label,
        path: path?.label ?? null,
        sessions: some.length,
        ofSessions: ofJourney.length,
        failedCalls: calls.filter(({ end }) => end !== "ok").length,
        goalRate: judged.length === 0 ? null : judged.filter(({ passed }) => passed).length / judged.length,
        exampleSessionId: unitId,
      };
    }),
  );
  const order = (path: WavePath) => `${path.journeyName} ${path.path ?? ""} ${path.exampleSessionId}`;
  const sorted = paths.toSorted(
    (one, other) => other.sessions - one.sessions || order(one).localeCompare(order(other)),
  );
  return { paths: sorted.slice(0, swarmLimits.wavePaths), truncated: sorted.length > swarmLimits.wavePaths };
}
