/** @module A suite as it is being edited: what it was when the edit began, what it is to be, and the YAML that was typed for it. */
import { freshKey } from "@fettle/contract/client";
import type { EvalSuiteDocument, EvalSuiteEdition } from "@fettle/contract/evals";
import { isSameJson } from "@fettle/contract/formats";
import type { Fields } from "../../../kit/conflict/three-way.ts";
import type { Json } from "../../../lib/json-exact.ts";

export type EditedCase = EvalSuiteDocument["cases"][number];
export type EditedStep = EditedCase["steps"][number];
export type Settings = NonNullable<EvalSuiteDocument["settings"]>;
export type Place = EvalSuiteEdition["places"][number];

export type SuiteBase = Pick<EvalSuiteEdition, "revision" | "updatedAt" | "document">;

export interface SuiteDraft {
  /** As it was read when the edit began; what is expected to be stored still. */
  base: SuiteBase;
  /** As the form has it; while YAML is typed that cannot be read yet, as it was before. */
  document: EvalSuiteDocument;
  /** As it was typed, until the form is used again. */
  text?: string;
}

export function draftFrom({ revision, updatedAt, document }: SuiteBase): SuiteDraft {
  return { base: { revision, updatedAt, document }, document };
}

/** A typed text counts before it is read: it must not be lost to a reload. */
export function isChanged({ base, document, text }: SuiteDraft): boolean {
  return text !== undefined || !isSameJson(base.document, document);
}

export function isOutdated({ base }: SuiteDraft, stored: SuiteBase): boolean {
  return base.revision !== stored.revision;
}

/** The form was used: the text follows it. */
export function withDocument({ base }: SuiteDraft, document: EvalSuiteDocument): SuiteDraft {
  return { base, document };
}

export function withCases(
  draft: SuiteDraft,
  change: (cases: readonly EditedCase[]) => EditedCase[],
): SuiteDraft {
  return withDocument(draft, { ...draft.document, cases: change(draft.document.cases) });
}

/** What a case is found by while its suite is edited. */
export function keyOf({ id }: Pick<EditedCase, "id">, at: number): string {
  return id ?? `#${at + 1}`;
}

export function newCase(): EditedCase {
  return { id: newCaseId(), title: "New case", steps: [{ id: "ask", kind: "prompt", prompt: "" }] };
}

export function copyOf(one: EditedCase): EditedCase {
  return { ...one, id: newCaseId(), title: `${one.title} (copy)` };
}

function newCaseId(): string {
  return `c_${freshKey()
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 12)}`;
}

/** A name that no other step of the case has. */
export function freshStepId(steps: readonly EditedStep[], wish: string): string {
  const taken = new Set(steps.map(({ id }) => id));
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? wish : `${wish}-${count}`;
    if (!taken.has(id)) return id;
  }
}

/** An object with a field set or, when it is `undefined`, left out. */
export function having<Thing extends object>(
  thing: Thing,
  change: { [Key in keyof Thing]?: Thing[Key] | undefined },
): Thing {
  const entries = Object.entries({ ...thing, ...change }).filter(([, value]) => value !== undefined);
  // What is left out was optional: only such fields can be undefined.
  return Object.fromEntries(entries) as Thing;
}

const casePrefix = "case ";

/** Each case is a field: two people who edit different cases are not in each other's way. */
export function fieldsOf(document: EvalSuiteDocument): Fields {
  const { cases, settings = {}, ...said } = document;
  const keys = cases.map(keyOf);
  // A document came as JSON, so its parts are some.
  const json = (value: unknown) => value as Json;
  return {
    ...Object.fromEntries(Object.entries(said).map(([key, value]) => [key, json(value)])),
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`settings ${key}`, json(value)])),
    ...Object.fromEntries(cases.map((one, at) => [casePrefix + keys[at], json(one)])),
    order: keys,
  };
}

export function documentFrom(fields: Fields): EvalSuiteDocument {
  const { order = [], ...rest } = fields;
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const below = (prefix: string) =>
    entries.flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
    );
  const cases = new Map(below(casePrefix));
  const settings = Object.fromEntries(below("settings "));
  const inOrder = (Array.isArray(order) ? order.map(String) : []).filter((key) => cases.has(key));
  const keys = [...new Set([...inOrder, ...cases.keys()])];
  const said = entries.filter(([key]) => !key.startsWith(casePrefix) && !key.startsWith("settings "));
  // Put together of the parts of two documents; the service judges the whole when it is saved.
  return {
    ...Object.fromEntries(said),
    ...(Object.keys(settings).length > 0 && { settings }),
    cases: keys.map((key) => cases.get(key)),
  } as EvalSuiteDocument;
}

export function fieldLabel(field: string, documents: readonly EvalSuiteDocument[]): string {
  if (field === "order") return "Order of the cases";
  if (!field.startsWith(casePrefix)) return field.replace("settings ", "Setting ");
  const key = field.slice(casePrefix.length);
  const one = documents.flatMap(({ cases }) => cases).find((each, at) => keyOf(each, at) === key);
  return `Case “${one?.title ?? key}”`;
}
