/** @module The checks that a form knows: what each is called, and what it asks for. One with anything else is shown as it is written. */

export type CheckFieldKind = "text" | "number" | "flag" | "names" | "json" | "matching";

export interface CheckField {
  /** Inside the check, by dots. */
  path: string;
  label: string;
  kind: CheckFieldKind;
  optional?: boolean;
}

interface CheckKind {
  label: string;
  fields: readonly CheckField[];
}

const tool: CheckField = { path: "toolName", label: "Tool", kind: "text" };
const anyTool: CheckField = { ...tool, optional: true };
const needle: CheckField = { path: "needle", label: "Text", kind: "text" };
const exactCase: CheckField = { path: "caseSensitive", label: "Upper and lower case count", kind: "flag" };
const bound = (path: string, label: string): CheckField => ({ path, label, kind: "number" });

export const checkKinds: Record<string, CheckKind> = {
  toolCalledWith: {
    label: "Calls a tool with arguments",
    fields: [
      tool,
      { path: "args.args", label: "Arguments, as JSON", kind: "json" },
      { path: "args.argumentMatching", label: "Arguments match", kind: "matching", optional: true },
      { path: "args.deep", label: "Operators count at every level", kind: "flag" },
      { path: "minCount", label: "At least so often", kind: "number", optional: true },
    ],
  },
  toolCalledAtLeastOnce: { label: "Calls a tool", fields: [tool] },
  toolNeverCalled: { label: "Never calls a tool", fields: [tool] },
  onlyToolsCalled: {
    label: "Calls no other tools",
    fields: [{ path: "toolNames", label: "Tools, one a line", kind: "names" }],
  },
  firstToolWas: { label: "Calls a tool first", fields: [tool] },
  noToolErrors: { label: "No call fails", fields: [] },
  toolResultContains: { label: "A result contains a text", fields: [tool, needle, exactCase] },
  toolResultMatchesSchema: {
    label: "Results fit a schema",
    fields: [tool, { path: "schema", label: "JSON Schema", kind: "json" }],
  },
  toolLatencyUnder: {
    label: "Calls are faster than",
    fields: [anyTool, bound("ms", "Milliseconds")],
  },
  toolCallCountUnder: { label: "Fewer calls than", fields: [anyTool, bound("calls", "Calls")] },
  toolResultSizeUnder: { label: "Results are smaller than", fields: [anyTool, bound("bytes", "Bytes")] },
  responseContains: { label: "The answer contains a text", fields: [needle, exactCase] },
  responseMatches: {
    label: "The answer matches a pattern",
    fields: [{ path: "pattern", label: "Regular expression", kind: "text" }],
  },
  finalAssistantMessageNonEmpty: { label: "There is an answer", fields: [] },
  noSecretsInResponse: {
    label: "The answer holds no credential",
    fields: [{ path: "patterns", label: "Patterns, one a line", kind: "names", optional: true }],
  },
  tokenBudgetUnder: { label: "Fewer tokens than", fields: [bound("tokens", "Tokens")] },
  turnCountUnder: { label: "Fewer turns than", fields: [bound("turns", "Turns")] },
  widgetRendered: { label: "A view is rendered", fields: [anyTool] },
  widgetRenderLatencyUnder: {
    label: "Views are rendered faster than",
    fields: [anyTool, bound("ms", "Milliseconds")],
  },
  widgetNoConsoleErrors: { label: "No view logs an error", fields: [anyTool] },
};

export type Check = Readonly<Record<string, unknown>>;

/** Of every kind: whether it decides. */
const weight = ["type", "role", "severity"];

/** Whether a form can show all of it. */
export function isFormable(check: Check): boolean {
  const kind = checkKinds[String(check.type)];
  if (!kind || !Object.hasOwn(checkKinds, String(check.type))) return false;
  const known = new Set([...weight, ...kind.fields.map(({ path }) => path)]);
  // What a field holds is its own affair; only the ways to fields are followed.
  const isKnown = (path: string, value: unknown): boolean =>
    known.has(path) ||
    (isObject(value) &&
      kind.fields.some((field) => field.path.startsWith(`${path}.`)) &&
      Object.entries(value).every(([key, below]) => isKnown(`${path}.${key}`, below)));
  return Object.entries(check).every(([key, value]) => isKnown(key, value));
}

export function valueAt(check: Check, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), check);
}

/** With one value set or, when it is `undefined`, left out. */
export function withValue(check: Check, path: string, value: unknown): Record<string, unknown> {
  const [key = "", ...rest] = path.split(".");
  const { [key]: before, ...others } = check;
  const next = rest.length === 0 ? value : withValue(isObject(before) ? before : {}, rest.join("."), value);
  if (next === undefined) return others;
  // In its place: a text that follows the form must not jump.
  return key in check ? { ...check, [key]: next } : { ...others, [key]: next };
}

/** A new one of a kind, with what the old one already said. */
export function asKind(type: string, before: Check = {}): Record<string, unknown> {
  const blank: Record<CheckFieldKind, unknown> = {
    text: "",
    number: 1,
    flag: undefined,
    names: [],
    json: {},
    matching: undefined,
  };
  const { role, severity } = before;
  return (checkKinds[type]?.fields ?? []).reduce<Record<string, unknown>>(
    (check, { path, kind, optional }) =>
      withValue(check, path, valueAt(before, path) ?? (optional ? undefined : blank[kind])),
    { type, ...(role !== undefined && { role }), ...(severity !== undefined && { severity }) },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
