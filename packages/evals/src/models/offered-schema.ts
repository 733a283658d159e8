/** @module A tool's schema without references: local ones are put in place, nothing deeper than providers read. What is lost is said. Pure. */
import { findByPointer } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";

export interface OfferedSchema {
  schema: JsonObject;
  /** What the model does not see of the server's schema. */
  losses: string[];
}

const deepest = 12;
/** References can make a small schema huge. */
const mostNodes = 5_000;
/** Not part of what is asked, only of how the schema is written. */
const dropped = new Set(["$schema", "$defs", "definitions", "$id"]);
const namesAreData = new Set(["properties", "patternProperties", "dependentSchemas"]);

/** @example offeredSchema({ type: "object", properties: { at: { $ref: "#/$defs/place" } }, $defs: { place: { type: "string" } } }).schema // { type: "object", properties: { at: { type: "string" } } } */
export function offeredSchema(schema: JsonObject): OfferedSchema {
  const losses = new Set<string>();
  let nodes = 0;
  const copy = (value: unknown, depth: number, above: readonly string[], isName: boolean): unknown => {
    if (++nodes > mostNodes) {
      losses.add(`only its first ${mostNodes} parts are offered`);
      return {};
    }
    if (Array.isArray(value)) return value.map((item) => copy(item, depth, above, false));
    if (!isObject(value)) return value;
    if (depth > deepest) {
      losses.add(`what lies deeper than ${deepest} levels is left out`);
      return {};
    }
    const { $ref, ...beside } = value;
    if (!isName && typeof $ref === "string") {
      const found = resolve(schema, $ref);
      if (found === undefined || above.includes($ref)) {
        losses.add(`the reference ${$ref} ${found === undefined ? "leads nowhere" : "contains itself"}`);
        return copy(beside, depth, above, false);
      }
      return copy({ ...found, ...beside }, depth, [...above, $ref], false);
    }
    const kept = Object.entries(value).filter(([key]) => isName || !dropped.has(key));
    return Object.fromEntries(
      kept.map(([key, item]) => {
        const holdsNames = !isName && namesAreData.has(key);
        return [key, copy(item, holdsNames ? depth : depth + 1, above, holdsNames)];
      }),
    );
  };
  const inlined = copy(schema, 0, [], false) as JsonObject;
  return { schema: inlined, losses: [...losses] };
}

/** A pointer into the same document; anything else is not followed. */
function resolve(schema: JsonObject, reference: string): JsonObject | undefined {
  const found = findByPointer(schema, reference);
  return isObject(found) ? found : undefined;
}
