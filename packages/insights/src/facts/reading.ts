/** @module What a conversation is read with: the pinned tools, a judge of schemas, and what must not be shown. */
import { redactArguments, type SchemaJudge, secretArguments } from "@fettle/contract";
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
  const secrets = unit.calls.flatMap((call) => [
    ...secretArguments(call.arguments),
    ...secretArguments(call.result ?? null),
    ...secretsInText(call),
  ]);
  const own = hideValues(secrets);
  return (text) => own(hide(text));
}

/** Many tools answer in JSON that is text. */
function secretsInText({ result, error }: Unit["calls"][number]): string[] {
  return [...textsOf(result), error?.text ?? ""].flatMap((text) => {
    if (!/^\s*[[{]/.test(text)) return [];
    try {
      return secretArguments(JSON.parse(text));
    } catch {
      return [];
    }
  });
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

/** Arguments without what their names say is secret: two calls that differ in a password alone are the same call. */
export const plainArguments = (given: Record<string, unknown>) => redactArguments(given);
