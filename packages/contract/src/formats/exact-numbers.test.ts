import fc from "fast-check";
import { expect, test } from "vitest";
import { redact } from "../secrets/redact.ts";
import {
  type ExactNumber,
  isExactNumber,
  mayHoldLongNumber,
  parseExactNumbers,
  withPlainNumbers,
} from "./exact-numbers.ts";

test.each(["9007199254740993", "-9223372036854775808", "18446744073709551615", "1e400", "9".repeat(400)])(
  "%s is written as it was read, also after redaction",
  (digits) => {
    const text = `{"id":${digits},"list":[${digits},1],"__proto__":{"x":${digits}}}`;
    expect(mayHoldLongNumber(text)).toBe(true);
    const value = parseExactNumbers(text) as { id: ExactNumber };
    expect(isExactNumber(value.id)).toBe(true);
    expect(JSON.stringify(value)).toBe(text);
    expect(JSON.stringify(redact(value))).toBe(text);
    expect({}).not.toHaveProperty("x");
  },
);

test("numbers that a double holds stay plain numbers", () => {
  for (const text of ["0", "-1", "9007199254740991", "9007199254740992", "1e21", "0.1", "1.0", "1E3"]) {
    expect(parseExactNumbers(text)).toBe(JSON.parse(text));
  }
});

test("any whole number survives reading and writing", () => {
  fc.assert(
    fc.property(fc.bigInt(), (whole) => {
      expect(JSON.stringify(parseExactNumbers(`[${whole}]`))).toBe(`[${whole}]`);
    }),
  );
});

test("a validator gets plain numbers, and the very same value where nothing was long", () => {
  const short = { a: [1, { b: "2" }] };
  expect(withPlainNumbers(short)).toBe(short);
  expect(withPlainNumbers({ a: [parseExactNumbers("9007199254740993")] })).toEqual({ a: [9007199254740992] });
});
