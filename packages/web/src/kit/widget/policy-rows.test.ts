import { expect, test } from "vitest";
import { evaluatesCode, policyRows, wholeDeclaration } from "./policy-rows.ts";

test("what is declared, granted and refused stands in one row of its list", () => {
  const rows = policyRows(
    {
      header: "",
      allow: "",
      granted: {
        sources: { connect: ["https://a.example"], resource: [], frame: [], base: [] },
        permissions: ["camera"],
      },
      dropped: [{ list: "connect", entry: "http://b.example", reason: "is not encrypted" }],
    },
    [
      { directive: "connect-src", blocked: "http://b.example/x" },
      { directive: "connect-src", blocked: "http://b.example/x" },
      { directive: "script-src-elem", blocked: "eval" },
    ],
  );
  expect(rows.filter(({ declared, refused }) => declared.length + refused.length > 0)).toEqual([
    {
      list: "connect",
      declared: ["https://a.example", "http://b.example"],
      granted: ["https://a.example"],
      refused: ["connect-src http://b.example/x"],
    },
    { list: "resource", declared: [], granted: [], refused: ["script-src-elem eval"] },
    { list: "permissions", declared: ["camera"], granted: ["camera"], refused: [] },
  ]);
});

test.each([
  ["eval", true],
  ["wasm-eval", true],
  ["https://a.example/eval", false],
])("a refusal of %s tells whether the document evaluates code: %s", (blocked, told) => {
  expect(evaluatesCode([{ directive: "script-src", blocked }])).toBe(told);
});

test("what would have to be declared names each missing origin once, beside what is granted", () => {
  const policy = {
    header: "",
    allow: "",
    granted: {
      sources: { connect: ["https://a.example"], resource: [], frame: [], base: [] },
      permissions: [],
    },
    dropped: [],
  };
  const declarationFor = (...blocked: [directive: string, blocked: string][]) =>
    wholeDeclaration(
      policy,
      blocked.map(([directive, blocked]) => ({ directive, blocked })),
    );
  expect(
    declarationFor(
      ["connect-src", "https://b.example/x?y"],
      ["connect-src", "https://b.example/z"],
      ["connect-src", "wss://live.example:8443/"],
      ["img-src", "https://pictures.example/1.png"],
    ),
  ).toEqual({
    ui: {
      csp: {
        connectDomains: ["https://a.example", "https://b.example", "wss://live.example:8443"],
        resourceDomains: ["https://pictures.example"],
      },
    },
  });
  expect(declarationFor(["script-src", "eval"], ["connect-src", "http://plain.example/"])).toBeUndefined();
});
