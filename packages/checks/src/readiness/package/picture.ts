/** @module What a picture is, from its own bytes: kind, size, and whether it is whole. Nothing is drawn. */
import { crc32 } from "node:zlib";

export type PictureKind = "png" | "jpeg" | "webp" | "svg";

export type PictureReading =
  | { kind: PictureKind; width: number; height: number }
  /** Of a known kind, but broken, or without a size. */
  | { kind: PictureKind; fault: string }
  | { kind: "other" };

export function readPicture(bytes: Uint8Array): PictureReading {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.subarray(0, 8).equals(pngSignature)) return readPng(buffer);
  if (buffer[0] === 0xff && buffer[1] === 0xd8) return readJpeg(buffer);
  if (buffer.toString("latin1", 0, 4) === "RIFF" && buffer.toString("latin1", 8, 12) === "WEBP") {
    return readWebp(buffer);
  }
  const text = buffer.toString("utf8");
  return /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*(?:<!DOCTYPE[^>]*>\s*)?<svg\b/i.test(text)
    ? readSvg(text)
    : { kind: "other" };
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(bytes: Buffer): PictureReading {
  const fault = (what: string): PictureReading => ({ kind: "png", fault: what });
  let size: { width: number; height: number } | undefined;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 8 + length;
    if (end + 4 > bytes.length) return fault("it is cut short");
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return fault("it is damaged");
    if (type === "IHDR") size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (type === "IDAT") hasData = true;
    if (type === "IEND")
      return size && hasData ? { kind: "png", ...size } : fault("there is no picture in it");
    at = end + 4;
  }
  return fault("it is cut short");
}

function readJpeg(bytes: Buffer): PictureReading {
  const fault = (what: string): PictureReading => ({ kind: "jpeg", fault: what });
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 2) return fault("it is cut short");
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return fault("it is damaged");
    const marker = bytes[at + 1] ?? 0;
    // A frame: all of C0 to CF but the tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { kind: "jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return fault("there is no picture in it");
}

function readWebp(bytes: Buffer): PictureReading {
  const fault = (what: string): PictureReading => ({ kind: "webp", fault: what });
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return fault("it is cut short");
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return {
        kind: "webp",
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { kind: "webp", width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { kind: "webp", width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return fault("there is no picture in it");
  }
}

function readSvg(text: string): PictureReading {
  if (!/<\/svg\s*>\s*$|<svg\b[^>]*\/>\s*$/i.test(text)) return { kind: "svg", fault: "it is cut short" };
  const [tag = ""] = /<svg\b[^>]*>/i.exec(text) ?? [];
  const length = (name: string) =>
    Number(
      new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`, "i").exec(tag)?.[1] ?? Number.NaN,
    );
  const [, , boxWidth = Number.NaN, boxHeight = Number.NaN] =
    /\sviewBox\s*=\s*["']([^"']+)["']/i
      .exec(tag)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const width = length("width") || boxWidth;
  const height = length("height") || boxHeight;
  return width > 0 && height > 0
    ? { kind: "svg", width, height }
    : { kind: "svg", fault: "it has neither width and height nor a viewBox" };
}
