/** @module What of a tool's result a model reads and what a trace keeps: text, bounded, and never taken for anything but text. Pure. */
import { isObject, type JsonObject } from "@fettle/mcp";

export interface ResultLimits {
  /** Characters of one result that the model is shown. */
  shownLength: number;
  /** Bytes of one result that the trace keeps whole; a larger one is kept as a piece of its text. */
  keptBytes: number;
}

export interface ShownResult {
  text: string;
  isError: boolean;
  kept: JsonObject | string;
  truncated: boolean;
  bytes: number;
}

export function showResult(result: JsonObject, limits: ResultLimits): ShownResult {
  const written = JSON.stringify(result);
  const bytes = Buffer.byteLength(written, "utf8");
  const isKept = bytes <= limits.keptBytes;
  return {
    text: clipped(textOf(result), limits.shownLength),
    isError: result.isError === true,
    kept: isKept ? result : clipped(written, limits.keptBytes),
    truncated: !isKept,
    bytes,
  };
}

/** A cut never falls inside a character, and says how much is gone. */
function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).toWellFormed()}\n[cut: ${text.length - length} more characters]`;
}

function textOf(result: JsonObject): string {
  const content = Array.isArray(result.content) ? result.content : [];
  const texts = content.map(blockText).filter((text) => text !== "");
  if (texts.length > 0) return texts.join("\n");
  return result.structuredContent === undefined ? "" : JSON.stringify(result.structuredContent);
}

function blockText(block: unknown): string {
  if (!isObject(block)) return "";
  if (block.type === "text") return typeof block.text === "string" ? block.text : "";
  if (block.type === "image" || block.type === "audio") {
    const length = typeof block.data === "string" ? Math.floor((block.data.length * 3) / 4) : 0;
    return `[${block.type}, ${String(block.mimeType ?? "of unknown type")}, ${length} bytes]`;
  }
  if (block.type === "resource_link")
    return `[resource ${String(block.name ?? "")}: ${String(block.uri ?? "")}]`;
  if (block.type === "resource" && isObject(block.resource)) {
    const { text, uri } = block.resource;
    return typeof text === "string" ? text : `[resource ${String(uri ?? "")}]`;
  }
  return "";
}
