/** @module Everything that is wrong with a tool's arguments, told at once: what is missing, and what does not fit. */
import { checkAgainst, type SchemaFault, type ValueCheck } from "../../kit/check-schema.ts";
import { missingParts } from "../../kit/schema-form/value.ts";
import type { JsonObject } from "../../lib/json-exact.ts";

export async function checkArguments(
  schema: JsonObject,
  value: JsonObject,
): Promise<{ doubts: SchemaFault[]; check: ValueCheck }> {
  const missing = missingParts(schema, schema, value);
  const check = await checkAgainst(schema, value);
  const faults = check.kind === "checked" ? check.faults : [];
  const named = new Set(missing.map((path) => path.join("/")));
  // The checker says of the object around it what is already said of the part itself.
  const isNamed = ({ at, message }: SchemaFault) => {
    const name = /required property "(.*)"/s.exec(message)?.[1];
    return name !== undefined && named.has(at === "" ? name : `${at}/${name}`);
  };
  return {
    check,
    doubts: [
      ...missing.map((path) => ({ at: path.join("/"), message: "Required" })),
      ...faults.filter((fault) => !isNamed(fault)),
    ],
  };
}
