/** @module A call to copy into a terminal, made from what an operation asks for. */

import { componentPrefix, type JsonSchema } from "../document/json-schema.ts";
import type { OpenApiOperation, OpenApiParameter } from "../document/openapi.ts";

type Schemas = Record<string, JsonSchema>;

/** Ids stand as shell variables: `{projectId}` becomes `$PROJECT_ID`. */
export function curlExample(
  method: string,
  path: string,
  operation: OpenApiOperation,
  schemas: Schemas,
): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const body =
    operation.requestBody && exampleOf(operation.requestBody.content["application/json"].schema, schemas);
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$FETTLE_API_URL${address}${query(operation, schemas)}"`,
    `-H "Authorization: Bearer $FETTLE_API_KEY"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`]),
  ];
  return lines.join(" \\\n  ");
}

function query(operation: OpenApiOperation, schemas: Schemas): string {
  const needed = (operation.parameters ?? []).filter(
    (parameter): parameter is OpenApiParameter =>
      "in" in parameter && parameter.in === "query" && parameter.required === true,
  );
  const pairs = needed.map(({ name, schema }) =>
    name.endsWith("Id") ? `${name}=$${shellName(name)}` : `${name}=${exampleOf(schema, schemas)}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function shellName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The smallest value the schema asks for. */
function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  if (schema.$ref) return exampleOf(schemas[schema.$ref.slice(componentPrefix.length)] ?? {}, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, schemas);
  if (schema.type === "array") return [exampleOf(schema.items ?? {}, schemas)];
  if (schema.type === "object") {
    const { properties = {}, required = [] } = schema;
    // A change that requires nothing still needs one field to change.
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
    return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)]));
  }
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return "…";
}
