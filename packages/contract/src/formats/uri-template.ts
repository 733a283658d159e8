/** @module URI templates (RFC 6570, all four levels): which variables one has, and what it becomes with values. */

import { must } from "./must.ts";

interface Operator {
  first: string;
  separator: string;
  named: boolean;
  ifEmpty: string;
  reserved: boolean;
}

const operators: Record<string, Operator> = {
  "": { first: "", separator: ",", named: false, ifEmpty: "", reserved: false },
  "+": { first: "", separator: ",", named: false, ifEmpty: "", reserved: true },
  "#": { first: "#", separator: ",", named: false, ifEmpty: "", reserved: true },
  ".": { first: ".", separator: ".", named: false, ifEmpty: "", reserved: false },
  "/": { first: "/", separator: "/", named: false, ifEmpty: "", reserved: false },
  ";": { first: ";", separator: ";", named: true, ifEmpty: "", reserved: false },
  "?": { first: "?", separator: "&", named: true, ifEmpty: "=", reserved: false },
  "&": { first: "&", separator: "&", named: true, ifEmpty: "=", reserved: false },
};

export interface TemplateVariable {
  name: string;
  /** `*`: a list becomes one part per item. */
  explode: boolean;
  /** `:n`: only the first n characters are used. */
  prefix?: number;
}

type Part = string | { operator: Operator; variables: TemplateVariable[] };

export type ParsedTemplate =
  | { ok: true; parts: Part[]; variables: TemplateVariable[] }
  | { ok: false; reason: string };

export function parseTemplate(template: string): ParsedTemplate {
  const parts: Part[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (!piece.startsWith("{")) {
      if (/[{}]/.test(piece)) return { ok: false, reason: "A brace is not closed." };
      if (piece !== "") parts.push(piece);
      continue;
    }
    const [, sign = "", list = ""] = /^\{([+#./;?&]?)(.*)\}$/.exec(piece) ?? [];
    const variables: TemplateVariable[] = [];
    for (const text of list.split(",")) {
      const [whole, name = "", prefix, star] =
        /^((?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(?::([1-9]\d{0,3})|(\*))?$/.exec(text) ?? [];
      if (whole === undefined) return { ok: false, reason: `“${piece}” is not an expression of RFC 6570.` };
      variables.push({ name, explode: star === "*", ...(prefix && { prefix: Number(prefix) }) });
    }
    parts.push({ operator: must(operators[sign], "an operator for each sign"), variables });
  }
  const all = parts.flatMap((part) => (typeof part === "string" ? [] : part.variables));
  const variables = all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
  return { ok: true, parts, variables };
}

/** Whether it is an address without any value: everything that varies is a query, a parameter or a fragment. */
export function needsNothing({ parts }: Extract<ParsedTemplate, { ok: true }>): boolean {
  return parts.every(
    (part) => typeof part === "string" || ["?", "&", ";", "#"].includes(part.operator.first),
  );
}

/** A text, several, or names with texts; undefined leaves the variable out. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>> | undefined;

/**
 * @example
 * expandTemplate(parseTemplate("shop://books/{id}{?lang}"), { id: "a b" }) // "shop://books/a%20b"
 */
export function expandTemplate(
  template: Extract<ParsedTemplate, { ok: true }>,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  return template.parts
    .map((part) => {
      if (typeof part === "string") return encode(part, true);
      const expanded = part.variables.flatMap((variable) => {
        const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
        return isUndefined(value) ? [] : [expandOne(variable, value, part.operator)];
      });
      return expanded.length === 0 ? "" : part.operator.first + expanded.join(part.operator.separator);
    })
    .join("");
}

// A list or map without entries counts as undefined, as the RFC says.
function isUndefined(value: TemplateValue): value is undefined {
  return value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
}

function expandOne(
  { name, explode, prefix }: TemplateVariable,
  value: NonNullable<TemplateValue>,
  operator: Operator,
) {
  const encoded = (text: string) => encode(text, operator.reserved);
  const named = (key: string, text: string) =>
    operator.named ? key + (text === "" ? operator.ifEmpty : `=${text}`) : text;
  if (typeof value === "string")
    return named(name, encoded(prefix ? [...value].slice(0, prefix).join("") : value));
  if (Array.isArray(value)) {
    const items = (value as readonly string[]).map(encoded);
    return explode
      ? items.map((item) => named(name, item)).join(operator.separator)
      : named(name, items.join(","));
  }
  const pairs = Object.entries(value).map(([key, text]) => [encoded(key), encoded(text)] as const);
  return explode
    ? pairs.map(([key, text]) => `${key}=${text}`).join(operator.separator)
    : named(name, pairs.flat().join(","));
}

function encode(text: string, keepReserved: boolean): string {
  const keep = keepReserved ? /%[0-9A-Fa-f]{2}|[\w.~:/?#[\]@!$&'()*+,;=-]/ : /[\w.~-]/;
  return text.replace(new RegExp(`${keep.source}|[^]`, "gu"), (part) =>
    keep.test(part) ? part : percent(part),
  );
}

function percent(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
