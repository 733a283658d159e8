/** @module The schema of a client's config as data, for pages that make a form of it: they carry no validator. */
import { ClientConfig } from "../environments/client.ts";
import { componentPrefix, type JsonSchema, toJsonSchema } from "./json-schema.ts";

export function clientConfigSchemaSource(): string {
  const components: Record<string, JsonSchema> = {};
  toJsonSchema(ClientConfig, components);
  const { ClientConfig: schema, ...others } = components;
  // The form reads one schema; a named part would have to travel along.
  if (Object.keys(others).length > 0) throw new Error(`The config refers to ${Object.keys(others)}.`);
  const text = JSON.stringify(schema, null, 2);
  if (text.includes(componentPrefix)) throw new Error("The config refers to another schema.");
  return `// Written by \`npm run generate\` from the contract. Do not edit.\nexport const clientConfigSchema = ${text};\n`;
}
