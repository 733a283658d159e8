import fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf } from "./digest.ts";

test("the order of keys does not change a digest", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (value) => {
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(digestOf(turned)).toBe(digestOf(value));
    }),
  );
});

test("the digest is SHA-256 of the text", () => {
  expect(digestOf({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
});
