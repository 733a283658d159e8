import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeHeaderValue, encodeHeaderValue, paramHeadersFor, scanParamHeaders } from "./param-headers.ts";

test("any text survives the way through a header", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      const header = encodeHeaderValue(value);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      expect(header.trim()).toBe(header);
      expect(decodeHeaderValue(header)).toBe(value);
    }),
  );
});

test("plain text stays as it is; only a complete wrapper is decoded", () => {
  expect(encodeHeaderValue("us-east 1")).toBe("us-east 1");
  expect(encodeHeaderValue("ü")).toBe("=?base64?w7w=?=");
  expect(decodeHeaderValue("=?base64?w7w=")).toBe("=?base64?w7w=");
  expect(decodeHeaderValue("=?base64?%%%?=")).toBeUndefined();
});

test("annotated parameters become headers, absent and null ones none", () => {
  const scan = scanParamHeaders({
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      nested: { type: "object", properties: { dry: { type: "boolean", "x-mcp-header": "Dry" } } },
      count: { type: "integer", "x-mcp-header": "Count" },
    },
  });
  if (!scan.ok) throw new Error(scan.reason);
  expect(paramHeadersFor(scan.headers, { region: "eu", nested: { dry: true }, count: null })).toEqual({
    "mcp-param-region": "eu",
    "mcp-param-dry": "true",
  });
});

test.each([
  [{ properties: { a: { type: "string", "x-mcp-header": "" } } }],
  [{ properties: { a: { type: "string", "x-mcp-header": "a b" } } }],
  [{ properties: { a: { type: "string", "x-mcp-header": "a:b" } } }],
  [{ properties: { a: { type: "object", "x-mcp-header": "A" } } }],
  [{ properties: { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } } }],
  [{ anyOf: [{ properties: { a: { type: "string", "x-mcp-header": "A" } } }] }],
  [
    {
      properties: {
        a: { type: "string", "x-mcp-header": "Same" },
        b: { type: "string", "x-mcp-header": "same" },
      },
    },
  ],
])("%j makes its tool unusable", (schema) => {
  expect(scanParamHeaders(schema).ok).toBe(false);
});

test("a parameter that merely bears the annotation's name is no annotation", () => {
  const schema = { properties: { "x-mcp-header": { type: "string" } } };
  expect(scanParamHeaders(schema)).toEqual({ ok: true, headers: [] });
});
