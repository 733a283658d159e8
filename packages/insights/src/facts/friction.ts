/** @module What was laborious in a conversation: going round in circles, one by one where many were wanted, pages that never end. Pure. */
import { groupBy, isSameJson, neighbors, terms, type VerbClass, verbClasses } from "@fettle/contract/formats";
import { shortDigestOf } from "../digest.ts";
import type { Unit, UnitCall } from "../observed/unit.ts";
import { callOf, isIdName } from "./call-facts.ts";
import { isEmptyResult, resultDigest } from "./results.ts";
import type { CallFacts, Friction } from "./unit-facts.ts";

/** From how many on. */
const least = { identical: 3, cycles: 3, fanOut: 5, emptyRepeats: 2 };

const listing: ReadonlySet<VerbClass> = new Set(["list", "search"]);

const pageKeys = new Set([
  ...["cursor", "nextCursor", "next_cursor", "page", "pageToken", "page_token"],
  ...["offset", "after", "before", "start", "limit"],
]);

export function frictionOf(unit: Unit, facts: readonly CallFacts[]): Friction[] {
  // What a test calls itself, it meant to call so often.
  const chosen = facts.filter(({ isPinned, end }) => !isPinned && end !== "unsent");
  return [
    ...loops(unit, chosen),
    ...pairLoops(unit, chosen),
    ...fanOuts(unit, chosen),
    ...[...byTool(chosen).values()].flatMap((calls) => [
      ...deadEnds(unit, calls),
      ...emptyRepeats(unit, calls),
    ]),
  ];
}

const byTool = (calls: readonly CallFacts[]) =>
  groupBy(calls, ({ serverId, toolName }) => `${serverId}\n${toolName}`);

const made = (
  kind: Friction["kind"],
  { serverId, toolName, index }: CallFacts,
  count: number,
  isUninformed = false,
): Friction => ({ kind, serverId, toolNames: [toolName], count, call: index, isUninformed });

const isUninformed = (unit: Unit, calls: readonly CallFacts[]) =>
  calls.every((facts) => facts.errorClass === "opaque" || isEmptyResult(callOf(unit, facts)));

function loops(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const same = [
    ...groupBy(calls, (call) => `${call.serverId}\n${call.toolName}\n${call.argsDigest}`).values(),
  ];
  const long = same.filter(({ length }) => length >= least.identical);
  const last = calls.at(-1);
  const guarded =
    long.length === 0 && last && unit.end.stopCause === "loop_guard"
      ? same.filter((group) => group.includes(last))
      : [];
  return [...long, ...guarded].map((group) =>
    made("loop", group[0], group.length, isUninformed(unit, group)),
  );
}

/** A-B-A-B-A-B. */
function pairLoops(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const signs = calls.map(({ toolName, argsDigest }) => `${toolName}\n${argsDigest}`);
  const length = 2 * least.cycles;
  const found = new Map<string, Friction>();
  for (const [at, [one, other]] of neighbors(calls).entries()) {
    const own = signs.slice(at, at + length);
    const isRepeated = own.length === length && own.every((sign, n) => n < 2 || sign === own[n - 2]);
    if (one.toolName === other.toolName || !isRepeated) continue;
    const group = calls.slice(at, at + length);
    const friction = made("pair_loop", one, least.cycles, isUninformed(unit, group));
    const toolNames = [one.toolName, other.toolName].sort();
    const key = toolNames.join("\n");
    if (!found.has(key)) found.set(key, { ...friction, toolNames });
  }
  return [...found.values()];
}

/** Many calls that differ in one id alone, after something was listed. */
function fanOuts(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  return [...byTool(calls).values()].flatMap((own) => {
    const [first] = own;
    const listed = calls.some(
      ({ index, toolName }) =>
        index < first.index &&
        toolName !== first.toolName &&
        !verbClasses(terms(toolName)).isDisjointFrom(listing),
    );
    if (!listed) return [];
    const names = new Set(
      own.flatMap((facts) => Object.keys(callOf(unit, facts).arguments).filter(isIdName)),
    );
    const groups = [...names].flatMap((name) => {
      const rest = groupBy(own, (facts) => {
        const { [name]: _, ...others } = callOf(unit, facts).arguments;
        return shortDigestOf(others);
      });
      return [...rest.values()].filter(
        (group) => new Set(group.map(({ argsDigest }) => argsDigest)).size >= least.fanOut,
      );
    });
    const largest = groups.sort((one, other) => other.length - one.length)[0];
    return largest ? [made("fan_out", largest[0], largest.length)] : [];
  });
}

const withoutPages = (call: UnitCall) =>
  Object.fromEntries(Object.entries(call.arguments).filter(([key]) => !pageKeys.has(key)));

function deadEnds(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const stuck = neighbors(calls).flatMap(([earlier, facts]) => {
    const [before, call] = [callOf(unit, earlier), callOf(unit, facts)];
    if (before.end !== "ok" || call.end !== "ok" || isEmptyResult(call)) return [];
    const isNextPage =
      facts.argsDigest !== earlier.argsDigest && isSameJson(withoutPages(before), withoutPages(call));
    return isNextPage && resultDigest(before) === resultDigest(call) ? [facts] : [];
  });
  const [first] = stuck;
  return first ? [made("pagination_dead_end", first, stuck.length)] : [];
}

function emptyRepeats(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const repeats = neighbors(calls).flatMap(([before, facts]) =>
    isEmptyResult(callOf(unit, before)) && facts.argsDigest !== before.argsDigest ? [facts] : [],
  );
  const [first] = repeats;
  return first && repeats.length >= least.emptyRepeats
    ? [made("empty_result_repeat", first, repeats.length)]
    : [];
}
