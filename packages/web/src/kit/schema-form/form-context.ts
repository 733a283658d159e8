/** @module What every field of one form shares: the schema's root, the state, and how to change it. */
import { createContext, useContext } from "react";
import type { Complete } from "../../api/completions.ts";
import { isJsonObject, type Json } from "../../lib/json-exact.ts";
import { type Draft, type FormState, pathKey, setAt, setDraft } from "./form-state.ts";
import type { Path } from "./value.ts";

export interface FormContext {
  root: Json;
  state: FormState;
  /** Makes ids unique when two forms are on one page. */
  id: string;
  change: (next: FormState) => void;
  /** What becomes of a field with a value: it is sent in a call, and set in settings. */
  verb: "sent" | "set";
  /** Proposes values for the text of a property of the outermost object. */
  complete?: Complete | undefined;
  /** What the schema finds wrong, by the path of the part, joined by slashes. */
  faults: readonly FieldFault[];
}

export interface FieldFault {
  at: string;
  message: string;
}

export const SchemaFormContext = createContext<FormContext | undefined>(undefined);

export interface Editing {
  root: Json;
  verb: FormContext["verb"];
  /** The id of the control at a path. */
  idOf: (path: Path) => string;
  draftAt: (path: Path) => Draft | undefined;
  faultAt: (path: Path) => FieldFault | undefined;
  set: (path: Path, value: Json | undefined) => void;
  draft: (path: Path, text: string, reason: string) => void;
  /** Proposes values for the text at a path, where somebody does. */
  completerAt: (
    path: Path,
  ) => ((text: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
}

export function useEditing(): Editing {
  const context = useContext(SchemaFormContext);
  if (!context) throw new Error("A field lives inside a schema form.");
  const { root, state, change, id, verb, complete, faults } = context;
  return {
    root,
    verb,
    idOf: (path) => `${id}${pathKey(path)}`,
    draftAt: (path) => state.drafts[pathKey(path)],
    faultAt: (path) => faults.find(({ at }) => at === path.join("/")),
    set: (path, value) => change(setAt(state, path, value)),
    draft: (path, text, reason) => change(setDraft(state, path, text, reason)),
    completerAt: ([name, ...rest]) =>
      complete && typeof name === "string" && rest.length === 0
        ? (value, signal) => complete({ name, value }, textsBeside(state.value, name), signal)
        : undefined,
  };
}

function textsBeside(value: Json | undefined, name: string): Record<string, string> {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([key, each]) =>
      key !== name && typeof each === "string" && each !== "" ? [[key, each]] : [],
    ),
  );
}
