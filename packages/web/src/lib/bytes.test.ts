import { expect, test } from "vitest";
import { toBase64 } from "./base64.ts";
import { base64Size, sizeText } from "./bytes.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1023 bytes"],
  [1_024, "1 KB"],
  [1_536, "1.5 KB"],
  [1_048_000, "1023.4 KB"],
  [1_048_575, "1 MB"],
  [1_048_576, "1 MB"],
  [1_572_864, "1.5 MB"],
])("%d bytes read %s", (bytes, words) => {
  expect(sizeText(bytes)).toBe(words);
});

test("a base64 text stands for as many bytes as it was made of", () => {
  for (let length = 0; length < 10; length += 1)
    expect(base64Size(toBase64(new Uint8Array(length)))).toBe(length);
  expect(base64Size("=")).toBe(0);
});
