/** @module The types that other clients read from answers, written down as data: `id text`, `error? text`, `role text|null`. */
import { expect } from "vitest";

type Fits = (value: unknown) => boolean;
const isCount: Fits = (value) => Number.isInteger(value) && Number(value) >= 0;
const kinds: Record<string, Fits> = {
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  count: isCount,
  /** Epoch milliseconds. */
  time: (value) => isCount(value) && Number(value) > 1_600_000_000_000,
  list: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  null: (value) => value === null,
  any: (value) => value !== undefined,
};

/** `field` or `field?` by the kinds it may have, or by the words it may be: `{ status: "running|completed", "error?": "text" }`. */
export type Shape = Readonly<Record<string, string>>;

/** What of an answer does not fit, each with its path. */
export function misfits(answer: unknown, shape: Shape, at = ""): string[] {
  if (!kinds.object!(answer)) return [`${at || "the answer"} is ${JSON.stringify(answer)}`];
  const fields = answer as Record<string, unknown>;
  return Object.entries(shape).flatMap(([named, wanted]) => {
    const name = named.replace("?", "");
    const value = fields[name];
    if (value === undefined) return named.endsWith("?") ? [] : [`${at}${name} is missing`];
    const fits = wanted.split("|").some((kind) => kinds[kind]?.(value) ?? value === kind);
    return fits ? [] : [`${at}${name} is ${JSON.stringify(value)}, not ${wanted}`];
  });
}

export function expectShape(answer: unknown, shape: Shape): void {
  expect(misfits(answer, shape)).toEqual([]);
}
