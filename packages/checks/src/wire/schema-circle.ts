/** @module References that go round in a circle without ever reaching into the value: such a schema describes nothing, and naive validators never end. */
import { findByPointer } from "@fettle/contract/formats";
import { isObject } from "@fettle/mcp";

/** Keywords whose schemas apply to the same value, so that going through them gets no further into it. */
const inPlace = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
/** A longer chain than this is no circle that a person wrote; it is left alone. */
const maxSteps = 500;

/** Looks whether a schema leads back to itself; remembers what it has seen, so that asking for each part costs one pass. */
export function circleFinder(root: unknown): (schema: unknown) => boolean {
  const known = new Map<unknown, "under way" | boolean>();
  const isCircular = (schema: unknown, steps: number): boolean => {
    if (!isObject(schema) || steps > maxSteps) return false;
    const seen = known.get(schema);
    if (seen !== undefined) return seen === "under way" || seen;
    known.set(schema, "under way");
    const found = nextOf(schema).some((next) => isCircular(next, steps + 1));
    known.set(schema, found);
    return found;
  };
  const nextOf = (schema: Record<string, unknown>): unknown[] => [
    ...(typeof schema.$ref === "string" ? [findByPointer(root, schema.$ref)] : []),
    ...inPlace.flatMap((keyword) => schema[keyword] ?? []),
  ];
  return (schema) => isCircular(schema, 0);
}
