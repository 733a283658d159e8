/**
 * @module What became of a server's surface, and what each change means for those who use it. Pure.
 *
 * `breaking`: a caller that was right before may be wrong now. `compatible`: nothing right becomes wrong, but behaviour may differ.
 * `text-only`: words for people and models. Inputs and outputs mirror each other: an input may accept more, an output may promise more.
 */

import { isSameJson } from "@fettle/contract/formats";
import { isAppOnlyTool, isObject, type JsonObject } from "@fettle/mcp";
import { compareSchemas, type Shift } from "./schema-change.ts";
import { type Surface, type SurfaceSection, surfaceSections } from "./surface.ts";

export const changeClasses = ["breaking", "compatible", "text-only"] as const;
export type ChangeClass = (typeof changeClasses)[number];

export interface SurfaceChange {
  kind: "server" | "tool" | "prompt" | "resource" | "resourceTemplate";
  /** The tool's or prompt's name, the resource's address; empty for the server itself. */
  name: string;
  change: "added" | "removed" | "changed";
  class: ChangeClass;
  /** JSON Pointer into the definition; empty for the definition as a whole. */
  path: string;
  before?: unknown;
  after?: unknown;
}

type Part = Omit<SurfaceChange, "kind" | "name" | "change">;

const kinds: Record<SurfaceSection, SurfaceChange["kind"]> = {
  tools: "tool",
  prompts: "prompt",
  resources: "resource",
  resourceTemplates: "resourceTemplate",
};

/**
 * Every change from the locked surface to the current one, the most serious first.
 *
 * @example
 * const changes = diffSurfaces(locked, await readSurface(connection));
 * if (changes.some((change) => change.class === "breaking")) process.exitCode = 1;
 */
export function diffSurfaces(locked: Surface, current: Surface): SurfaceChange[] {
  const changes = [...diffServer(locked, current)];
  for (const section of surfaceSections) {
    const before = locked[section];
    if (before) changes.push(...diffSection(section, before, current[section] ?? {}));
  }
  return changes.toSorted((a, b) => changeClasses.indexOf(a.class) - changeClasses.indexOf(b.class));
}

function diffServer(locked: Surface, current: Surface): SurfaceChange[] {
  const change = (part: Part): SurfaceChange => ({ kind: "server", name: "", change: "changed", ...part });
  const changes: SurfaceChange[] = [];
  if (locked.instructions !== current.instructions) {
    changes.push(change(part("text-only", "/instructions", locked.instructions, current.instructions)));
  }
  for (const name of union(locked.capabilities, current.capabilities)) {
    const was = locked.capabilities[name];
    const is = current.capabilities[name];
    if (isSameJson(was, is)) continue;
    const lost = isObject(was) && (!isObject(is) || Object.keys(was).some((key) => is[key] === undefined));
    changes.push(change(part(lost ? "breaking" : "compatible", `/capabilities/${name}`, was, is)));
  }
  return changes;
}

function diffSection(
  section: SurfaceSection,
  before: Record<string, JsonObject>,
  after: Record<string, JsonObject>,
): SurfaceChange[] {
  const kind = kinds[section];
  return union(before, after).flatMap((name): SurfaceChange[] => {
    const was = before[name];
    const is = after[name];
    if (!was) return [{ kind, name, change: "added", class: "compatible", path: "", after: is }];
    if (!is) return [{ kind, name, change: "removed", class: "breaking", path: "", before: was }];
    return compareDefinition(section, was, is).map((found) => ({ kind, name, change: "changed", ...found }));
  });
}

function compareDefinition(section: SurfaceSection, was: JsonObject, is: JsonObject): Part[] {
  const special = rules[section];
  return union(was, is).flatMap((field): Part[] => {
    if (isSameJson(was[field], is[field])) return [];
    const rule = special[field] ?? fieldRules[field] ?? otherField;
    return rule(was[field], is[field], `/${field}`);
  });
}

type Rule = (was: unknown, is: unknown, path: string) => Part[];

const textField: Rule = (was, is, path) => [part("text-only", path, was, is)];
const otherField: Rule = (was, is, path) => [part("compatible", path, was, is)];
const promisedField: Rule = (was, is, path) => [part("breaking", path, was, is)];

const fieldRules: Record<string, Rule> = { title: textField, description: textField, icons: textField };

const rules: Record<SurfaceSection, Record<string, Rule>> = {
  tools: {
    inputSchema: (was, is, path) => schemaParts(was, is, path, inputClass),
    outputSchema: outputParts,
    annotations: annotationParts,
    execution: executionParts,
    _meta: metaParts,
  },
  prompts: { arguments: argumentParts },
  resources: { name: textField, mimeType: promisedField },
  resourceTemplates: { name: textField, mimeType: promisedField },
};

/** Callers send what the old schema accepts: the new one must accept it too. */
const inputClass: Record<Shift, ChangeClass> = {
  narrows: "breaking",
  shifts: "breaking",
  widens: "compatible",
  neutral: "compatible",
  text: "text-only",
};

/** Callers read what the old schema promises: the new one must keep the promise. */
const outputClass: Record<Shift, ChangeClass> = {
  narrows: "compatible",
  shifts: "breaking",
  widens: "breaking",
  neutral: "compatible",
  text: "text-only",
};

function schemaParts(was: unknown, is: unknown, path: string, classes: Record<Shift, ChangeClass>): Part[] {
  return compareSchemas(was, is).map((change) =>
    part(classes[change.shift], `${path}${change.path}`, change.before, change.after),
  );
}

function outputParts(was: unknown, is: unknown, path: string): Part[] {
  if (was === undefined) return [part("compatible", path, was, is)];
  if (is === undefined) return [part("breaking", path, was, is)];
  return schemaParts(was, is, path, outputClass);
}

/** What each hint is when it is not given, and the value that promises more. */
const hints: Record<string, { otherwise: boolean; safe: boolean }> = {
  readOnlyHint: { otherwise: false, safe: true },
  destructiveHint: { otherwise: true, safe: false },
  idempotentHint: { otherwise: false, safe: true },
  openWorldHint: { otherwise: true, safe: false },
};

/** People approve a tool for what its hints promise: a promise taken back breaks that. */
function annotationParts(was: unknown, is: unknown, path: string): Part[] {
  const before = isObject(was) ? was : {};
  const after = isObject(is) ? is : {};
  return union(before, after).flatMap((name): Part[] => {
    if (isSameJson(before[name], after[name])) return [];
    const at = `${path}/${name}`;
    if (name === "title") return [part("text-only", at, before[name], after[name])];
    const hint = hints[name];
    const takenBack =
      hint !== undefined &&
      (before[name] ?? hint.otherwise) === hint.safe &&
      (after[name] ?? hint.otherwise) !== hint.safe;
    return [part(takenBack ? "breaking" : "compatible", at, before[name], after[name])];
  });
}

function executionParts(was: unknown, is: unknown, path: string): Part[] {
  const mustBeTask = (value: unknown) => isObject(value) && value.taskSupport === "required";
  const mayBeTask = (value: unknown) =>
    isObject(value) && ["required", "optional"].includes(String(value.taskSupport));
  const breaks = (mustBeTask(is) && !mustBeTask(was)) || (mayBeTask(was) && !mayBeTask(is));
  return [part(breaks ? "breaking" : "compatible", path, was, is)];
}

function metaParts(was: unknown, is: unknown, path: string): Part[] {
  const hides = !isAppOnlyTool({ _meta: was }) && isAppOnlyTool({ _meta: is });
  return [part(hides ? "breaking" : "compatible", path, was, is)];
}

/** By name: the order of arguments means nothing to a caller. */
function argumentParts(was: unknown, is: unknown, path: string): Part[] {
  const before = argumentsByName(was);
  const after = argumentsByName(is);
  return union(before, after).flatMap((name): Part[] => {
    const old = before[name];
    const now = after[name];
    const at = `${path}/${name}`;
    if (!old) return [part(now?.required === true ? "breaking" : "compatible", at, old, now)];
    if (!now) return [part("breaking", at, old, now)];
    if (isSameJson(old, now)) return [];
    const { required: wasRequired = false, ...oldRest } = old;
    const { required: isRequired = false, ...newRest } = now;
    return [
      ...(wasRequired === isRequired
        ? []
        : [part(isRequired ? "breaking" : "compatible", `${at}/required`, wasRequired, isRequired)]),
      ...(isSameJson(oldRest, newRest) ? [] : [part("text-only", at, oldRest, newRest)]),
    ];
  });
}

function argumentsByName(list: unknown): Record<string, JsonObject> {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return Object.fromEntries(items.map((item) => [String(item.name), item]));
}

function part(changeClass: ChangeClass, path: string, before: unknown, after: unknown): Part {
  return {
    class: changeClass,
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

function union(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}
