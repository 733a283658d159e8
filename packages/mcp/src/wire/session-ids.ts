/** @module Session ids side by side: two that are the same, or that follow from one another. Pure. */
import { type WireProblem, wireProblem } from "./wire-problem.ts";

/** Of a random id more than this differs from the next, whatever it is written in. */
const fewestCharacters = 6;
/** A clock of milliseconds moves by less between two handshakes; random numbers of its length by more. */
const clock = { digits: 13, steps: 10_000_000 };

/** `ids`: of sessions that were opened one after the other, each for a client of its own. */
export function sessionProblems(ids: readonly string[]): WireProblem[] {
  const pairs = ids.slice(1).map((id, at) => [ids[at] ?? id, id] as const);
  if (pairs.some(([one, other]) => one === other)) return [wireProblem("SESSION_GUESSABLE", "", "")];
  for (const [one, other] of pairs) {
    const [here, there] = difference(one, other);
    if (Math.max(here.length, there.length) < fewestCharacters || isCounted(one, other))
      return [wireProblem("SESSION_GUESSABLE", here, there)];
  }
  return [];
}

/** What is left of both when their common beginning and end are taken away. */
function difference(one: string, other: string): [string, string] {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const room = Math.min(one.length, other.length) - start;
  while (end < room && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

function isCounted(one: string, other: string): boolean {
  const [, before, from = "", after] = /^(.*?)(\d+)(\D*)$/.exec(one) ?? [];
  const [, head, to, tail] = /^(.*?)(\d+)(\D*)$/.exec(other) ?? [];
  if (from.length < clock.digits || before !== head || after !== tail) return false;
  return Math.abs(Number(from) - Number(to)) < clock.steps;
}
