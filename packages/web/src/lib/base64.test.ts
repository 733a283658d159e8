import { expect, test } from "vitest";
import { fromBase64, textOf, toBase64 } from "./base64.ts";

test.each([0, 1, 2, 3, 0x8000 - 1, 0x8000, 0x8000 + 1, 3 * 0x8000])(
  "%d bytes are written as others write them, and read back",
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) % 256);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    expect([...fromBase64(toBase64(bytes))]).toEqual([...bytes]);
  },
);

test("bytes are text where they are UTF-8 without a null", () => {
  expect(textOf(new TextEncoder().encode("prüfen ✓"))).toBe("prüfen ✓");
  expect(textOf(Uint8Array.of(0xff, 0xfe))).toBeUndefined();
  expect(textOf(new TextEncoder().encode("a\0b"))).toBeUndefined();
});
