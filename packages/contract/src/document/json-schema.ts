/** @module Turns the contract's schemas into JSON Schema, gathering those that have a name under the document's components. */
import { z } from "zod";

/** A JSON Schema, as far as this package reads one. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

export const componentPrefix = "#/components/schemas/";

/** What a caller writes or reads, by the schema; named schemas land in `components` and are referred to. */
export function toJsonSchema(schema: z.ZodType, components: Record<string, JsonSchema>): JsonSchema {
  // One level down, because a named schema at the root would be written out instead of referred to.
  const wrapped = z.toJSONSchema(z.object({ root: schema }), { io: "input", override: plain });
  const text = JSON.stringify({ root: wrapped.properties?.root, named: wrapped.$defs ?? {} });
  const { root, named } = JSON.parse(text.replaceAll('"#/$defs/', `"${componentPrefix}`)) as {
    root: JsonSchema;
    named: Record<string, JsonSchema & { id?: string }>;
  };
  for (const [name, { id: _, ...definition }] of Object.entries(named)) components[name] = definition;
  return root;
}

/** Leaves out what the validator adds for itself and no reader needs. */
function plain({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (Number.isInteger(jsonSchema.const)) jsonSchema.type = "integer";
  if (isBareString(jsonSchema.propertyNames)) delete jsonSchema.propertyNames;
  // Without it, generators take an object of any fields for one that has none.
  if (jsonSchema.type === "object" && !jsonSchema.properties) jsonSchema.additionalProperties ??= true;
}

function isBareString(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
}
