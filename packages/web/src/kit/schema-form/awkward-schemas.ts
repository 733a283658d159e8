/** @module Schemas as real servers write them, well and badly: what the form has to cope with. Used by tests only. */
import type { JsonObject } from "../../lib/json-exact.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

export const awkwardSchemas: Record<string, JsonObject> = {
  "an order with lines": object(
    {
      orderReference: { type: "string", minLength: 1, maxLength: 64 },
      items: {
        type: "array",
        minItems: 1,
        items: object(
          { bookId: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
          { required: ["bookId", "quantity"] },
        ),
      },
      delivery: { type: "string", enum: ["collect", "post"] },
    },
    {
      required: ["orderReference", "items", "delivery"],
      $schema: "https://json-schema.org/draft/2020-12/schema",
    },
  ),
  "a sum with draft-07 words": object(
    {
      a: { type: "number" },
      b: { type: "number" },
      pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false },
    },
    { required: ["a", "b"], $schema: "http://json-schema.org/draft-07/schema#", definitions: { unused: {} } },
  ),
  "an issue search": object(
    {
      owner: { type: "string" },
      repo: { type: "string" },
      state: { enum: ["open", "closed", "all"] },
      labels: { type: "array", items: { type: "string" } },
      since: { type: "string", format: "date-time" },
      perPage: { type: "number", default: 30, maximum: 100 },
      issue_number: { type: "integer", description: "May exceed 2^53." },
    },
    { required: ["owner", "repo"], additionalProperties: false },
  ),
  "either a path or a URL": object(
    { path: { type: "string" }, url: { type: "string", format: "uri" } },
    { oneOf: [{ required: ["path"] }, { required: ["url"] }] },
  ),
  "optional as pydantic writes it": object(
    {
      query: { anyOf: [{ type: "string" }, { type: "null" }], default: null, title: "Query" },
      limit: { anyOf: [{ type: "integer" }, { type: "null" }], title: "Limit" },
      filters: { anyOf: [{ $ref: "#/$defs/Filters" }, { type: "null" }] },
    },
    { $defs: { Filters: object({ tags: { type: "array", items: { type: "string" }, default: [] } }) } },
  ),
  "recursive tree": object(
    { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
    { required: ["name"] },
  ),
  "recursive expression": {
    $ref: "#/$defs/expression",
    $defs: {
      expression: {
        oneOf: [
          { type: "number" },
          object(
            {
              op: { const: "add" },
              left: { $ref: "#/$defs/expression" },
              right: { $ref: "#/$defs/expression" },
            },
            { required: ["op", "left", "right"] },
          ),
        ],
      },
    },
  },
  "required without end": {
    $ref: "#/$defs/node",
    $defs: { node: object({ next: { $ref: "#/$defs/node" } }, { required: ["next"] }) },
  },
  "references in a circle": {
    $ref: "#/$defs/a",
    $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
  },
  "discriminated union": {
    oneOf: [
      object({ kind: { const: "circle" }, radius: { type: "number" } }, { required: ["kind", "radius"] }),
      object({ kind: { const: "square" }, side: { type: "number" } }, { required: ["kind", "side"] }),
    ],
  },
  "parts put together": {
    allOf: [
      object({ id: { type: "string" }, shared: { minLength: 1 } }, { required: ["id"] }),
      object({ name: { type: "string" }, shared: { type: "string" } }, { required: ["name"] }),
      { $ref: "#/$defs/stamps" },
    ],
    $defs: { stamps: object({ at: { type: "string", format: "date-time" } }) },
  },
  "a map with patterns": {
    type: "object",
    patternProperties: { "^x-": { type: "string" }, "[": { type: "number" } },
    additionalProperties: { type: ["number", "null"] },
  },
  "a tuple that goes on": {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "integer" }],
    items: { type: "boolean" },
  },
  conditions: object(
    { country: { enum: ["DE", "US"] }, zip: {} },
    {
      if: { properties: { country: { const: "US" } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword is called that.
      then: { properties: { zip: { pattern: "^\\d{5}$" } } },
      dependencies: { zip: ["country"] },
    },
  ),
  "an enum of everything": { enum: [null, true, 0, "", "a", [1], { a: 1 }] },
  "names that trap": object({
    __proto__x: { type: "string" },
    constructor: { type: "number" },
    "a.b/c~d": { $ref: "#/properties/a~1b" },
    "a/b": { type: "boolean" },
  }),
  "types that do not exist": object({
    file: { type: "file" },
    any: { type: "any" },
    empty: {},
    never: false,
  }),
  "required but never described": { type: "object", required: ["ghost"] },
  "an argument mirrored into a header": object({ region: { type: "string", "x-mcp-header": "Region" } }),
};
