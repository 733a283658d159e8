import { expect, test } from "vitest";
import { toolResultFaults } from "./tool-result.ts";
import { schemaFaults } from "./tool-schema.ts";

test.each<[unknown, string[]]>([
  [{ content: [{ type: "text", text: "hi" }] }, []],
  [{ structuredContent: 5, isError: false, _meta: {} }, []],
  [{ content: [{ type: "resource", resource: { uri: "a:b", blob: "AA==" } }] }, []],
  [{ content: [{ type: "resource_link", uri: "a:b", name: "b" }] }, []],
  ["text", [""]],
  [{ content: "text" }, ["/content"]],
  [
    { content: [{ type: "text" }, 3, { type: "film" }] },
    ["/content/0/text", "/content/1", "/content/2/type"],
  ],
  [{ content: [{ type: "image", data: "AA==" }] }, ["/content/0/mimeType"]],
  [
    { content: [{ type: "resource", resource: { uri: 1 } }] },
    ["/content/0/resource/uri", "/content/0/resource"],
  ],
  [{ isError: "no", _meta: [] }, ["/isError", "/_meta"]],
])("the tool result %j has faults at %j", (result, paths) => {
  expect(toolResultFaults(result).map(({ path }) => path)).toEqual(paths);
});

test.each<[unknown, string[]]>([
  [{ type: "object", properties: { a: { type: ["string", "null"] }, b: true } }, []],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, []],
  [{ type: "text" }, ["/type"]],
  [{ properties: [] }, ["/properties"]],
  [{ properties: { a: "string" } }, ["/properties/a"]],
  [{ required: [1] }, ["/required"]],
  [{ anyOf: [] }, ["/anyOf"]],
  [{ pattern: "(" }, ["/pattern"]],
  [{ $ref: "#/$defs/a" }, ["/$ref"]],
  [{ $ref: "https://schemas.example/a.json" }, ["/$ref"]],
  [{ items: [{ type: "x" }] }, ["/items/0/type"]],
])("the schema %j has faults at %j", (schema, paths) => {
  expect(schemaFaults(schema).map(({ path }) => path)).toEqual(paths);
});
