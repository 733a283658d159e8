/** @module References that go round in a circle without ever reaching into the value: such a schema describes nothing, and naive validators never end. */
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
    ...(typeof schema.$ref === "string" ? [targetOf(root, schema.$ref)] : []),
    ...inPlace.flatMap((keyword) => schema[keyword] ?? []),
  ];
  return (schema) => isCircular(schema, 0);
}

/** What a reference inside the document points at; undefined for nothing, and for what lies outside. */
export function targetOf(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at = root;
  for (const token of ref.slice(2).split("/")) {
    const key = decoded(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/** A pointer in a URL may be percent-encoded; one that is wrongly so is taken as it stands. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
