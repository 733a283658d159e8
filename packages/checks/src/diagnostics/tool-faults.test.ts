import { expect, test } from "vitest";
import { schemaFaults } from "../wire/tool-schema.ts";
import { toolResultFaults } from "./tool-result.ts";

test.each<[unknown, string[]]>([
  [{ content: [{ type: "text", text: "hi" }] }, []],
  [{ structuredContent: 5, isError: false, _meta: {} }, ["/content"]],
  [{ resultType: "input_required", inputRequests: {} }, []],
  [{ task: { taskId: "t" } }, []],
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
  [{ isError: "no", _meta: [], content: [] }, ["/isError", "/_meta"]],
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
  [{ items: [{ type: "x" }] }, ["/items", "/items/0/type"]],
  [{ $schema: "http://json-schema.org/draft-07/schema#", items: [{}] }, []],
  [{ minimum: 0, exclusiveMinimum: true }, ["/exclusiveMinimum"]],
  [{ exclusiveMaximum: 5, multipleOf: 0.5 }, []],
  [{ $schema: "http://json-schema.org/draft-04/schema#", exclusiveMinimum: true }, []],
  [{ $schema: "http://json-schema.org/draft-07/schema#", exclusiveMinimum: true }, ["/exclusiveMinimum"]],
  [{ maximum: "5", minLength: -1, maxItems: 1.5 }, ["/maximum", "/minLength", "/maxItems"]],
  [{ properties: { child: { $ref: "#" } } }, []],
  [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, ["/$ref", "/$defs/a/$ref"]],
  [
    { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } } },
    ["/$ref", "/$defs/a/allOf/0/$ref", "/$defs/b/$ref"],
  ],
  [{ $ref: "#/$defs/a%20b", $defs: { "a b": {} } }, []],
])("the schema %j has faults at %j", (schema, paths) => {
  expect(schemaFaults(schema).map(({ path }) => path)).toEqual(paths);
});

test("a revision that names no dialect holds no schema to one", () => {
  const schema = { items: [{}], exclusiveMinimum: true };
  expect(schemaFaults(schema, "2025-06-18")).toEqual([]);
  expect(schemaFaults(schema, "2025-11-25").map(({ path }) => path)).toEqual(["/exclusiveMinimum", "/items"]);
});
