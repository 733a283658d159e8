import { expect, test } from "vitest";
import { pngOf } from "../testing/archive.ts";
import { readPicture } from "./picture.ts";
import { contrast } from "./texts.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
const zeros = (count: number) => Array<number>(count).fill(0);

const jpeg = bytes([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 100, 0, 200, 1, 1, 0x11, 0, 0xff, 0xd9,
]);
const webp = (kind: string, rest: number[]) =>
  bytes("RIFF", [22, 0, 0, 0], "WEBP", kind, [10, 0, 0, 0], rest);

test.each<[string, Uint8Array, object]>([
  ["a PNG", pngOf(64, 48), { kind: "png", width: 64, height: 48 }],
  ["a PNG with a wrong bit", Buffer.from(pngOf(64)).fill(9, 20, 21), { kind: "png", fault: "it is damaged" }],
  ["half a PNG", pngOf(64).subarray(0, 50), { kind: "png", fault: "it is cut short" }],
  ["a JPEG", jpeg, { kind: "jpeg", width: 200, height: 100 }],
  ["a JPEG without an end", jpeg.subarray(0, -2), { kind: "jpeg", fault: "it is cut short" }],
  ["a lossy WebP", webp("VP8 ", [...zeros(6), 80, 0, 60, 0]), { kind: "webp", width: 80, height: 60 }],
  [
    "an extended WebP",
    webp("VP8X", [...zeros(4), 79, 0, 0, 59, 0, 0]),
    { kind: "webp", width: 80, height: 60 },
  ],
  [
    "an SVG with a size",
    bytes('<?xml version="1.0"?><svg width="64" height="32px"></svg>'),
    { kind: "svg", width: 64, height: 32 },
  ],
  ["an SVG with a box", bytes('<svg viewBox="0 0 24 24"></svg>'), { kind: "svg", width: 24, height: 24 }],
  ["a GIF", bytes("GIF89a"), { kind: "other" }],
  ["nothing", Buffer.alloc(0), { kind: "other" }],
])("%s is read from its bytes", (_, content, reading) => {
  expect(readPicture(content)).toEqual(reading);
});

test("contrast is that of WCAG", () => {
  expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21);
  expect(contrast("#FFFFFF", "#FFFFFF")).toBe(1);
  expect(contrast("#767676", "#FFFFFF")).toBeCloseTo(4.54, 2);
});
