/** @module The few ways of looking at a conversation that detectors share: by tool, by server, by case, by what people met. Pure. */
import { groupBy } from "@fettle/contract/formats";
import type { CallFacts, FrictionKind, UnitFacts } from "../facts/unit-facts.ts";
import type { Hit, Place, Seen, Subject, World } from "./detector.ts";

export const toolSubject = (serverId: string, toolName: string): Subject => ({
  kind: "tool",
  id: `${serverId}/${toolName}`,
  label: toolName,
});

export const at = (call: Pick<CallFacts, "serverId" | "toolName">): Place => ({
  serverId: call.serverId,
  toolName: call.toolName,
});
export const nowhere: Place = { serverId: null, toolName: null };

type ServerCall = CallFacts & { serverId: string };

/** A call of a tool that a server has. */
export const isServers = (call: CallFacts): call is ServerCall => call.isKnown && call.serverId !== null;

/** And the server answered. */
const isMade = (call: CallFacts): call is ServerCall =>
  isServers(call) && (call.end === "ok" || call.end === "error");

/** Each tool called, with the calls that show it. What they share of their place makes one hit. */
export function byTool(
  pick: (call: CallFacts, unit: UnitFacts, world: World) => Place | null,
  values?: (call: CallFacts) => number | null,
) {
  return function* (unit: UnitFacts, world: World): Iterable<Seen> {
    for (const calls of callsByTool(unit).values()) {
      const [{ serverId, toolName }] = calls;
      const places = new Map<string, { place: Place; calls: CallFacts[] }>();
      for (const call of calls) {
        const place = pick(call, unit, world);
        if (!place) continue;
        const key = JSON.stringify(place);
        places.set(key, { place, calls: [...(places.get(key)?.calls ?? []), call] });
      }
      yield {
        subject: toolSubject(serverId, toolName),
        hits: [...places.values()].map((found) => hitOf(found.place, found.calls)),
        values: values && calls.flatMap((call) => values(call) ?? []),
      };
    }
  };
}

export const callsByTool = (unit: UnitFacts) =>
  groupBy(unit.calls.filter(isMade), ({ serverId, toolName }) => `${serverId}\n${toolName}`);

export function hitOf(place: Place, calls: readonly CallFacts[]): Hit {
  const [first] = calls;
  return {
    place,
    times: calls.length,
    call: first?.index,
    turn: first?.turn,
    digests: calls.map(({ argsDigest }) => argsDigest),
    tally: { invented: calls.filter(({ isInvented }) => isInvented).length },
  };
}

/** One subject per conversation, which shows it or not. */
export function byUnit(
  subjectOf: (unit: UnitFacts, world: World) => Subject | null,
  test: (unit: UnitFacts, world: World) => Partial<Hit> | boolean,
  values?: (unit: UnitFacts) => number | null,
) {
  return function* (unit: UnitFacts, world: World): Iterable<Seen> {
    const subject = subjectOf(unit, world);
    if (!subject) return;
    const found = test(unit, world);
    const hits = found === false ? [] : [{ place: nowhere, times: 1, ...(found === true ? {} : found) }];
    const value = values?.(unit) ?? null;
    yield { subject, hits, values: value === null ? [] : [value] };
  };
}

export const serverSubject = (serverId: string, { surface }: World): Subject => ({
  kind: "server",
  id: serverId,
  label: surface.snapshotsOf(serverId)[0]?.serverName ?? serverId,
});

/** Where several servers are in play, nobody can say which one lacks it. */
export function onlyServer({ surface: { serverIds } }: World): { target?: { serverId: string } } {
  const [serverId, ...others] = serverIds;
  return serverId !== undefined && others.length === 0 ? { target: { serverId } } : {};
}

/** Each server spoken to, with the calls that show it. */
export function byServer(
  pick: (call: CallFacts, unit: UnitFacts) => boolean,
  alone?: (unit: UnitFacts) => string | null,
) {
  return function* (unit: UnitFacts, world: World): Iterable<Seen> {
    const lonely = alone?.(unit) ?? null;
    const spoken = Map.groupBy(unit.calls.filter(isMade), ({ serverId }) => serverId);
    for (const serverId of new Set([...spoken.keys(), ...(lonely === null ? [] : [lonely])])) {
      const calls = (spoken.get(serverId) ?? []).filter((call) => pick(call, unit));
      const place = { serverId, toolName: null };
      const hits =
        calls.length > 0 ? [hitOf(place, calls)] : serverId === lonely ? [{ place, times: 1 }] : [];
      yield { subject: serverSubject(serverId, world), hits };
    }
  };
}

const subjectOf = (kind: string, one: { id: string; label: string } | null): Subject | null =>
  one && { kind, id: one.id, label: one.label };

export const ofCase = (unit: UnitFacts) => subjectOf("case", unit.case);
export const ofTask = (unit: UnitFacts) => ofCase(unit) ?? subjectOf("journey", unit.journey);
export const ofPath = (unit: UnitFacts) => subjectOf("path", unit.path);
/** What people met: a case, a journey, or the scenario itself. */
export const ofMeeting = (unit: UnitFacts, { family }: World) =>
  ofTask(unit) ?? subjectOf("surface", unit.surface) ?? family;

/** Something went visibly wrong for whoever spoke. */
export const isStruggling = (unit: UnitFacts) =>
  unit.verdict === "failed" ||
  unit.isNegative === true ||
  unit.lastEvent === "tool_error" ||
  unit.turns.some(({ isFrustrated }) => isFrustrated);

const abandonedAfterMs = 120_000;
export const isAbandoned = (unit: UnitFacts) =>
  (unit.lastEvent === "user_message" || unit.lastEvent === "tool_error") &&
  (unit.idleAfterMs ?? 0) >= abandonedAfterMs &&
  unit.isNegative === null;

/** Each tool called, with what was laborious about it. */
export function byFriction(
  kinds: readonly FrictionKind[],
  seen: (toolNames: string, count: number) => string,
) {
  return function* (unit: UnitFacts): Iterable<Seen> {
    for (const calls of callsByTool(unit).values()) {
      const [{ serverId, toolName }] = calls;
      const found = unit.friction.filter(
        (one) => kinds.includes(one.kind) && one.serverId === serverId && one.toolNames[0] === toolName,
      );
      const hits = found.map(({ toolNames, count, call, isUninformed }) => ({
        place: { serverId, toolName, template: toolNames[1] ?? null },
        times: count,
        call,
        turn: unit.calls[call]?.turn,
        seen: seen(toolNames.map((name) => `"${name}"`).join(" and "), count),
        tally: { uninformed: isUninformed ? 1 : 0 },
      }));
      yield { subject: toolSubject(serverId, toolName), hits };
    }
  };
}
