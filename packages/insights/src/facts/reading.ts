/** @module What a conversation is read with: the pinned tools, a judge of schemas, and what must not be shown. */
import { isSecretName } from "@fettle/contract/secrets";
import type { SchemaJudge } from "@fettle/contract/servers";
import { fieldsOf } from "../observed/fields.ts";
import type { Surface } from "../observed/surface.ts";
import type { Unit } from "../observed/unit.ts";
import { hideValues, type Scrub } from "../text/scrub.ts";

export interface Reading {
  surface: Surface;
  /** Throws or gives nothing where a schema cannot be applied. */
  judge: SchemaJudge;
  hide: Scrub;
}

/** Also hides what this conversation itself shows to be secret: values under such names, wherever they are repeated. */
export function hidingIn(unit: Unit, hide: Scrub): Scrub {
  const secrets = unit.calls.flatMap(({ arguments: given, result, error }) => [
    ...secretsOf(given),
    ...secretsOf(result),
    ...[...textsOf(result), error?.text ?? ""].flatMap((text) => secretsOf(inJson(text))),
  ]);
  const own = hideValues(secrets);
  return (text) => own(hide(text));
}

/** Many tools answer in JSON that is text. */
function inJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** These hold secrets; other names of the kind (`sort_key`, `page_token`) hold as many ordinary words. */
const surely =
  /pass(?:word|wd|phrase)|pwd|secret|credential|authorization|cookie|bearer|^token$|(?:api|access|private)[_-]?key|(?:access|refresh|id|auth|api|session)[_-]?token/i;
const isNoWord = (value: string) => value.length >= 16 || (/\d/.test(value) && /[a-z]/i.test(value));

function secretsOf(value: unknown, name = ""): string[] {
  if (typeof value === "string") {
    return isSecretName(name) && (surely.test(name) || isNoWord(value)) ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsOf(item, name));
  return Object.entries(fieldsOf(value)).flatMap(([key, inner]) =>
    secretsOf(inner, isSecretName(name) && !isSecretName(key) ? name : key),
  );
}

const deepest = 64;

/** Deeper than anything means to be: whoever walks it would fall. */
export function isShallow(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** The texts of a tool's result. */
export function textsOf(result: unknown): string[] {
  if (typeof result === "string") return [result];
  const content = result !== null && typeof result === "object" && "content" in result ? result.content : [];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string"
      ? [part.text]
      : [],
  );
}
