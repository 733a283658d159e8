/** @module The texts of a package: JSON, YAML and the front matter of a SKILL.md, each with the reason why it cannot be read. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { parseDocument } from "yaml";

export type TextReading = { ok: true; fields: JsonObject } | { ok: false; why: string };

export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function readJson(bytes: Uint8Array): TextReading {
  const text = decoded(bytes);
  if (text === undefined) return { ok: false, why: "it is not UTF-8 text" };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { ok: true, fields: value } : { ok: false, why: "it is not an object" };
  } catch (error) {
    return { ok: false, why: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export function readYaml(text: string): TextReading {
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault) return { ok: false, why: `it is not YAML: ${fault.message}` };
  try {
    // No aliases: a few lines of them can unfold into gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return isObject(value) ? { ok: true, fields: value } : { ok: false, why: "it is not a mapping" };
  } catch {
    return { ok: false, why: "it uses aliases, which are not followed" };
  }
}

export function readFrontMatter(text: string): TextReading {
  const parts = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text);
  return parts ? readYaml(parts[1] ?? "") : { ok: false, why: "it does not begin with front matter" };
}

/** How light a colour is, as WCAG counts it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @example
 * contrast("#000000", "#FFFFFF") // 21
 */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
