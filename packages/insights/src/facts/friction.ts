/** @module What was laborious in a conversation: going round in circles, one by one where many were wanted, pages that never end. Pure. */
import { isSameJson, terms, type VerbClass, verbClasses } from "@fettle/contract/formats";
import { shortDigestOf } from "../digest.ts";
import type { Unit, UnitCall } from "../observed/unit.ts";
import { isIdName } from "./call-facts.ts";
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
  Map.groupBy(calls, ({ serverId, toolName }) => `${serverId}\n${toolName}`);

const made = (kind: Friction["kind"], calls: readonly CallFacts[], count: number, isUninformed = false) => {
  const toolNames = [...new Set(calls.map(({ toolName }) => toolName))].sort();
  const { serverId, index } = calls[0]!;
  return { kind, serverId, toolNames, count, call: index, isUninformed };
};

const isUninformed = (unit: Unit, calls: readonly CallFacts[]) =>
  calls.every(({ index, errorClass }) => errorClass === "opaque" || isEmptyResult(unit.calls[index]!));

function loops(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const same = [
    ...Map.groupBy(calls, (call) => `${call.serverId}\n${call.toolName}\n${call.argsDigest}`).values(),
  ];
  const long = same.filter(({ length }) => length >= least.identical);
  const last = calls.at(-1);
  const guarded =
    long.length === 0 && last && unit.end.stopCause === "loop_guard"
      ? same.filter((group) => group.includes(last))
      : [];
  return [...long, ...guarded].map((group) => made("loop", group, group.length, isUninformed(unit, group)));
}

/** A-B-A-B-A-B. */
function pairLoops(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const sign = (at: number) => `${calls[at]!.toolName}\n${calls[at]!.argsDigest}`;
  const length = 2 * least.cycles;
  const found = new Map<string, Friction>();
  for (let at = 0; at + length <= calls.length; at += 1) {
    const isPair = calls[at]!.toolName !== calls[at + 1]!.toolName;
    const repeats = Array.from({ length: length - 2 }, (_, n) => sign(at + n) === sign(at + n + 2));
    if (!isPair || repeats.includes(false)) continue;
    const group = calls.slice(at, at + length);
    const friction = made("pair_loop", group, least.cycles, isUninformed(unit, group));
    const key = friction.toolNames.join("\n");
    if (!found.has(key)) found.set(key, friction);
  }
  return [...found.values()];
}

/** Many calls that differ in one id alone, after something was listed. */
function fanOuts(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  return [...byTool(calls).values()].flatMap((own) => {
    const first = own[0]!;
    const listed = calls.some(
      ({ index, toolName }) =>
        index < first.index &&
        toolName !== first.toolName &&
        !verbClasses(terms(toolName)).isDisjointFrom(listing),
    );
    if (!listed) return [];
    const names = new Set(
      own.flatMap(({ index }) => Object.keys(unit.calls[index]!.arguments).filter(isIdName)),
    );
    const groups = [...names].flatMap((name) => {
      const rest = Map.groupBy(own, ({ index }) => {
        const { [name]: _, ...others } = unit.calls[index]!.arguments;
        return shortDigestOf(others);
      });
      return [...rest.values()].filter(
        (group) => new Set(group.map(({ argsDigest }) => argsDigest)).size >= least.fanOut,
      );
    });
    const largest = groups.sort((one, other) => other.length - one.length)[0];
    return largest ? [made("fan_out", largest, largest.length)] : [];
  });
}

const withoutPages = (call: UnitCall) =>
  Object.fromEntries(Object.entries(call.arguments).filter(([key]) => !pageKeys.has(key)));

function deadEnds(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const stuck = calls.slice(1).filter((facts, at) => {
    const [before, call] = [unit.calls[calls[at]!.index]!, unit.calls[facts.index]!];
    if (before.end !== "ok" || call.end !== "ok" || isEmptyResult(call)) return false;
    const isNextPage =
      facts.argsDigest !== calls[at]!.argsDigest && isSameJson(withoutPages(before), withoutPages(call));
    return isNextPage && resultDigest(before) === resultDigest(call);
  });
  return stuck.length > 0 ? [made("pagination_dead_end", stuck, stuck.length)] : [];
}

function emptyRepeats(unit: Unit, calls: readonly CallFacts[]): Friction[] {
  const repeats = calls
    .slice(1)
    .filter(
      (facts, at) =>
        isEmptyResult(unit.calls[calls[at]!.index]!) && facts.argsDigest !== calls[at]!.argsDigest,
    );
  return repeats.length >= least.emptyRepeats ? [made("empty_result_repeat", repeats, repeats.length)] : [];
}
