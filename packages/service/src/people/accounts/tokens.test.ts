import fc from "fast-check";
import { expect, test } from "vitest";
import { hashToken, mintToken, recogniseToken, type TokenKind, tokenPrefixes } from "./tokens.ts";

const kinds = Object.keys(tokenPrefixes) as TokenKind[];

test.each(kinds)("a minted %s token is recognised as one", (kind) => {
  const { token, hash } = mintToken(kind);
  expect(token.reveal()).toMatch(new RegExp(`^${tokenPrefixes[kind]}[0-9A-Za-z]{49}$`));
  expect(recogniseToken(token.reveal())).toBe(kind);
  expect(hash).toBe(hashToken(token.reveal()));
});

test("a token with any one character changed is not recognised", () => {
  const token = mintToken("apiKey").token.reveal();
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(..."0aZ_-"), (at, character) => {
      fc.pre(token[at] !== character);
      expect(recogniseToken(token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined();
    }),
  );
});

test("no text makes recognition throw", () => {
  fc.assert(fc.property(fc.string(), (text) => recogniseToken(`sk_${text}`) === undefined));
});

test("a minted token prints as redacted", () => {
  const minted = mintToken("apiKey");
  expect(JSON.stringify({ minted, text: `${minted.token}` })).not.toContain(minted.token.reveal());
});
