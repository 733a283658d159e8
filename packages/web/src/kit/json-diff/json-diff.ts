/** @module What differs between two JSON values, leaf by leaf. The order of keys does not count. */

import { isSameJson } from "@fettle/contract/formats";
import { isJsonObject, type Json } from "../../lib/json-exact.ts";

export interface JsonDifference {
  path: readonly (string | number)[];
  /** Absent on the side that has no such place. */
  before: Json | undefined;
  after: Json | undefined;
}

export interface JsonDiff {
  differences: JsonDifference[];
  /** How many plain values are the same on both sides. */
  same: number;
}

export function diffJson(before: Json, after: Json): JsonDiff {
  const differences: JsonDifference[] = [];
  let same = 0;
  // A stack instead of recursion: nesting must not overflow it.
  const waiting: JsonDifference[] = [{ path: [], before, after }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const steps = sharedSteps(place);
    if (steps === undefined) {
      if (isSameJson(place.before, place.after)) same += leavesOf(place.before);
      else differences.push(place);
      continue;
    }
    for (const step of steps.toReversed()) {
      waiting.push({
        path: [...place.path, step],
        before: childAt(place.before, step),
        after: childAt(place.after, step),
      });
    }
  }
  return { differences, same };
}

/** Both sides go on below this place; otherwise it is compared whole. */
function sharedSteps({ before, after }: JsonDifference): (string | number)[] | undefined {
  if (isJsonObject(before) && isJsonObject(after)) {
    const steps = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return steps.length > 0 ? steps : undefined;
  }
  // Of lists of unequal length, the shorter one says nothing about which items were taken out.
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.length > 0)
    return before.map((_, at) => at);
  return undefined;
}

function childAt(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function leavesOf(value: Json | undefined): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + leavesOf(each), 0);
  if (!isJsonObject(value)) return value === undefined ? 0 : 1;
  return Object.values(value).reduce<number>((sum, each) => sum + leavesOf(each), 0);
}
