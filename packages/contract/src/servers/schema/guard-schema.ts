/**
 * @module Makes a server's schema safe to apply: each of its patterns becomes the name of a format that evaluates it in linear
 * time, and each pattern of property names becomes the names that it fits. What the checker is then given holds no regular expression.
 */
import { linearPattern, type StepBudget } from "./linear-pattern.ts";

export type SchemaNode = Readonly<Record<string, unknown>>;

/** A part of a schema that nobody evaluated. */
export interface NotChecked {
  keyword: "pattern" | "patternProperties" | "$dynamicRef";
  /** As the server wrote it, cut when long. */
  text: string;
  /** Follows "it". */
  reason: string;
}

/** @example notCheckedText(unchecked) // "pattern ^(?=a) was not checked: it looks ahead or behind" */
export function notCheckedText({ keyword, text, reason }: NotChecked): string {
  return `${keyword} ${text} was not checked: it ${reason}`;
}

export interface GuardedSchema {
  schema: SchemaNode;
  /** By the names that stand in the guarded schema. */
  formats: ReadonlyMap<string, (text: string) => boolean>;
}

/** What a pattern that was not evaluated counts as. */
export type Doubt = "fits" | "differs";

/** Names that patterns of property names may add to one schema; a hostile one has many patterns for many names. */
const mostNames = 20_000;
/** The checker's own test of it takes exponential time; JSON Schema has no such format, and unknown ones assert nothing. */
const unsafeFormats = new Set(["url"]);
const namesAreData = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** What one property asks of the whole. The checker would let a reference make a schema of such a map. */
const dependencyMaps = new Set(["dependencies", "dependentRequired"]);
const skipped = new Set(["pattern", "patternProperties", "$dynamicRef", ...dependencyMaps]);
const formatOf = (index: number) => `pattern ${index}`;

export function isPatternFormat(format: string): boolean {
  return /^pattern \d+$/.test(format);
}

export function guardSchema(
  schema: SchemaNode,
  value: unknown,
  options: {
    budget: StepBudget;
    doubt: Doubt;
    isFormat: (name: string) => boolean;
    onUnchecked: (told: NotChecked) => void;
  },
): GuardedSchema {
  const { budget, doubt, isFormat, onUnchecked } = options;
  const formats = new Map<string, (text: string) => boolean>();
  const testers = new Map<string, (text: string) => boolean | undefined>();
  const names = [...namesIn(value)];
  let namesAdded = 0;

  const skip = (keyword: NotChecked["keyword"], what: unknown, reason: string) => {
    const text = typeof what === "string" ? what : JSON.stringify(what);
    onUnchecked({ keyword, text: text.length > 200 ? `${text.slice(0, 200)}…` : text, reason });
  };
  const testerOf = (source: string, keyword: "pattern" | "patternProperties") => {
    const known = testers.get(source);
    if (known) return known;
    const pattern = linearPattern(source);
    const answers = new Map<string, boolean | undefined>();
    const test = (text: string): boolean | undefined => {
      if (answers.has(text)) return answers.get(text);
      const answer = pattern.kind === "usable" ? pattern.test(text, budget) : pattern.reason;
      if (typeof answer === "string") {
        skip(keyword, source, answer === "out of steps" ? "takes too many steps on so long a text" : answer);
      }
      const told = typeof answer === "string" ? undefined : answer;
      answers.set(text, told);
      return told;
    };
    testers.set(source, test);
    return test;
  };

  /** Added to a schema object, it asserts what the pattern did. */
  const patternAssertion = (source: unknown): SchemaNode => {
    if (typeof source !== "string") {
      skip("pattern", source, "is not a text");
      return {};
    }
    const test = testerOf(source, "pattern");
    const format = formatOf(formats.size);
    formats.set(format, (text) => test(text) ?? doubt === "fits");
    return { format };
  };

  /** Which schemas the patterns of property names lay on which names of the value. */
  const namedByPattern = (patterns: SchemaNode): Map<string, unknown[]> => {
    const found = new Map<string, unknown[]>();
    const lay = (name: string, inner: unknown) => {
      const laid = found.get(name);
      if (laid) laid.push(inner);
      else found.set(name, [inner]);
    };
    for (const [source, inner] of Object.entries(patterns)) {
      const test = testerOf(source, "patternProperties");
      const guarded = walk(inner);
      for (const name of names) {
        const fits = test(name);
        if (fits === false || (fits === undefined && doubt === "differs")) continue;
        if (++namesAdded > mostNames) {
          skip("patternProperties", source, "is laid on too many names");
          return found;
        }
        lay(name, fits === undefined ? true : guarded);
      }
    }
    return found;
  };

  const dependencies = (map: unknown): SchemaNode[] =>
    Object.entries(isNode(map) ? map : {}).map(([name, due]) => ({
      if: { type: "object", required: [name] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: Array.isArray(due) ? { required: due } : walk(due),
    }));

  const walkMap = (map: unknown): unknown =>
    isNode(map) ? Object.fromEntries(Object.entries(map).map(([name, inner]) => [name, walk(inner)])) : map;

  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (!isNode(node)) return node;
    const guarded: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(node)) {
      if (skipped.has(key)) continue;
      if (key === "format" && (typeof inner !== "string" || unsafeFormats.has(inner) || !isFormat(inner)))
        continue;
      const kept =
        key === "const" || key === "enum" ? inner : namesAreData.has(key) ? walkMap(inner) : walk(inner);
      // A key named __proto__ must stay a key.
      Object.defineProperty(guarded, key, {
        value: kept,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    if (isNode(node.patternProperties)) {
      const properties = isNode(guarded.properties) ? guarded.properties : {};
      const laid = [...namedByPattern(node.patternProperties)].map(([name, inner]): [string, unknown] => [
        name,
        { allOf: Object.hasOwn(properties, name) ? [properties[name], ...inner] : inner },
      ]);
      guarded.properties = Object.fromEntries([...Object.entries(properties), ...laid]);
    }
    if (node.$dynamicRef !== undefined)
      skip("$dynamicRef", node.$dynamicRef, "is resolved only while it is applied");
    const more = [
      ...(node.pattern === undefined ? [] : [patternAssertion(node.pattern)]),
      ...[...dependencyMaps].flatMap((keyword) => dependencies(node[keyword])),
    ];
    if (more.length > 0) guarded.allOf = [...(Array.isArray(guarded.allOf) ? guarded.allOf : []), ...more];
    return guarded;
  };
  return { schema: walk(schema) as SchemaNode, formats };
}

function namesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, found);
  else if (isNode(value))
    for (const [name, inner] of Object.entries(value)) {
      found.add(name);
      namesIn(inner, found);
    }
  return found;
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
