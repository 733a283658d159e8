/** @module What a form holds: one JSON value, and beside it the texts being typed that are no value yet. */
import { isJsonObject, type Json, tryParse, withKey } from "../../lib/json-exact.ts";
import type { Path } from "./value.ts";

export interface FormState {
  value: Json | undefined;
  /** By path. A draft blocks sending; it is never sent as something it is not. */
  drafts: Readonly<Record<string, Draft>>;
}

export interface Draft {
  path: Path;
  text: string;
  reason: string;
}

export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** Sets the value at a path, or with `undefined` makes it absent. Drafts at or below the path are settled by it. */
export function setAt(state: FormState, path: Path, next: Json | undefined): FormState {
  return { value: valueWith(state.value, path, next), drafts: draftsOutside(state.drafts, path) };
}

/** Keeps a text that is no value yet. The value it replaces stays in place, so that nothing is lost by a slip. */
export function setDraft(state: FormState, path: Path, text: string, reason: string): FormState {
  return {
    ...state,
    drafts: { ...draftsOutside(state.drafts, path), [pathKey(path)]: { path, text, reason } },
  };
}

function draftsOutside(drafts: FormState["drafts"], path: Path): FormState["drafts"] {
  const isBelow = (draft: Draft) => path.every((step, at) => draft.path[at] === step);
  return Object.fromEntries(Object.entries(drafts).filter(([, draft]) => !isBelow(draft)));
}

function valueWith(value: Json | undefined, path: Path, next: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === "number") {
    const list = Array.isArray(value) ? value : [];
    const inside = valueWith(list[step], rest, next);
    // A list has no absent places: an emptied one in the middle is null until it is filled.
    return step < list.length ? list.with(step, inside ?? null) : [...list, inside ?? null];
  }
  const object = isJsonObject(value) ? value : {};
  const before = Object.hasOwn(object, step) ? object[step] : undefined;
  return withKey(object, step, valueWith(before, rest, next));
}

/** The text typed into the JSON view. */
export function fromText(state: FormState, text: string): FormState {
  if (text.trim() === "") return { value: undefined, drafts: {} };
  const parsed = tryParse(text);
  return parsed.ok ? { value: parsed.value, drafts: {} } : setDraft(state, [], text, parsed.reason);
}

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A typed number, exact to the last digit, or why it is none. */
export function readNumber(
  text: string,
  integer: boolean,
): { ok: true; value: Json } | { ok: false; reason: string } {
  const trimmed = text.trim();
  if (!numberText.test(trimmed)) return { ok: false, reason: "Not a number." };
  const parsed = tryParse(trimmed);
  if (parsed.ok && integer && !isWhole(trimmed)) return { ok: false, reason: "Not a whole number." };
  return parsed;
}

function isWhole(text: string): boolean {
  return /^-?\d+(?:\.0+)?$/.test(text) || (/[eE]/.test(text) && Number.isInteger(Number(text)));
}
