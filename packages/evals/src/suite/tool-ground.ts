/** @module What can be said of calling a tool without ever having called it: a value for everything it needs, whether that could do harm, and what nobody knows. Pure. */
import type { Tool } from "@fettle/mcp";

type Fields = Record<string, unknown>;

/** Names of parameters, each with a value. */
export type Samples = readonly (readonly [string, unknown])[];

interface Objection {
  kind: "destroys" | "tells" | "mayChange" | "onlyAsTask" | "unknown";
  reason: string;
  /** What a person does about it, who has a case before them. */
  remedy: string;
}

/** What can be said of calling a tool, without ever having called it. */
export interface ToolGround {
  /** A value for everything that it cannot do without. */
  samples: Samples;
  /** Whether a person could say them in a sentence. */
  isSaid: boolean;
  /** Why a call could do harm. */
  harm: Objection | undefined;
  /** What it takes that has to exist somewhere, and that nobody knows. */
  unknown: Objection | undefined;
}

export function groundOf(tool: Tool): ToolGround {
  const schema = isFields(tool.inputSchema) ? tool.inputSchema : {};
  const required = Array.isArray(schema.required)
    ? schema.required.filter((one) => typeof one === "string")
    : [];
  const properties = isFields(schema.properties) ? schema.properties : {};
  const samples = required.map((name): [string, unknown] => [name, sampleOf(name, properties[name])]);
  const isSaid = samples.every(([, value]) => typeof value !== "object" || value === null);
  const unknown = required.filter((name) => namesSomething.test(name) && !isOffered(properties[name]));
  return { samples, isSaid, harm: mayHarm(tool), unknown: notKnown(unknown) };
}

/** One value for what a tool can do without: what is searched for, else something that it offers and that is short enough to be said. */
export function optionalSample(tool: Tool): Samples {
  const schema = isFields(tool.inputSchema) ? tool.inputSchema : {};
  const properties = Object.entries(isFields(schema.properties) ? schema.properties : {});
  const sought = properties.find(([name]) => isSought.test(name));
  const samples = (sought ? [sought] : properties).flatMap(([name, declared]): [string, unknown][] => {
    const value = name === sought?.[0] ? sampleOf(name, declared) : isFields(declared) && offeredIn(declared);
    return typeof value === "string" && /^[^\n"]{1,80}$/.test(value) ? [[name, value]] : [];
  });
  return samples.slice(0, 1);
}

/** Why a draft that nobody has read yet must not call a tool. */
function mayHarm({ name, description, annotations, execution }: Tool): Objection | undefined {
  const said = isFields(annotations) ? annotations : {};
  if (isFields(execution) && execution.taskSupport === "required") {
    return {
      kind: "onlyAsTask",
      reason: "This tool runs only as a task, which an eval does not start",
      remedy: "test it with tasks conformance",
    };
  }
  if (said.destructiveHint === true) {
    return {
      kind: "destroys",
      reason: "The server says that this tool destroys something",
      remedy: "enable the case where that is safe",
    };
  }
  if (tellsSecrets.test(`${name.replace(/[_-]/g, " ")} ${description ?? ""}`)) {
    return {
      kind: "tells",
      reason: "This tool may show what is in the environment, such as credentials",
      remedy: "enable the case where its answers may stand in reports",
    };
  }
  if (said.readOnlyHint !== true) {
    return {
      kind: "mayChange",
      reason: "The server does not say that this tool only reads",
      remedy: "enable the case where calling it does no harm",
    };
  }
  return undefined;
}

const tellsSecrets = /\benv(?:ironment variables?)?\b|\b(?:credentials?|secrets?|passwords?|api keys?)\b/i;

function notKnown(names: readonly string[]): Objection | undefined {
  if (names.length === 0) return undefined;
  return {
    kind: "unknown",
    reason: `Nobody knows ${names.map((name) => `${name.endsWith("s") ? "" : "a "}real ${name}`).join(", ")} here`,
    remedy: "put one into the prompt and the assertion, then enable the case",
  };
}

/** Its value has to exist somewhere; an invented one only shows how a tool fails. */
const namesSomething =
  /(?:^|[_-])(?:ids?|uuid|key|slug|paths?|files?|uris?|urls?|cursor|token|reference)$|(?:Ids?|Uuid|Key|Slug|Paths?|Files?|Uris?|Urls?|Cursor|Token|Reference)$/;

const deepest = 4;

const offeredIn = (schema: Fields) =>
  [schema.const, first(schema.examples), schema.default, first(schema.enum)].find(
    (value) => value !== undefined,
  );

function isOffered(schema: unknown): boolean {
  return isFields(schema) && offeredIn(schema) !== undefined;
}

/** What the schema offers first, then something of its type. */
function sampleOf(name: string, schema: unknown, depth = 0): unknown {
  if (!isFields(schema)) return "example";
  const offered = offeredIn(schema);
  if (offered !== undefined) return offered;
  const choice = first(schema.anyOf) ?? first(schema.oneOf);
  if (isFields(choice) && depth < deepest) return sampleOf(name, choice, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  switch (type) {
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return depth < deepest && isFields(schema.items) ? [sampleOf(name, schema.items, depth + 1)] : [];
    case "object": {
      const needed = Array.isArray(schema.required) ? schema.required : [];
      const fields = isFields(schema.properties) ? schema.properties : {};
      if (depth >= deepest) return {};
      return Object.fromEntries(
        needed.flatMap((key) =>
          typeof key === "string" ? [[key, sampleOf(key, fields[key], depth + 1)]] : [],
        ),
      );
    }
    default:
      return textSample(name, schema);
  }
}

function textSample(name: string, { format, minLength, description }: Fields): string {
  if (format === "date") return "2026-01-15";
  if (format === "date-time") return "2026-01-15T09:00:00Z";
  if (format === "email") return "ada@example.com";
  if (format === "uri" || format === "url") return "https://example.com/";
  const said = typeof description === "string" ? toldExample.exec(description)?.[1] : undefined;
  const shortest = typeof minLength === "number" && minLength > 7 ? Math.min(minLength, 100) : 0;
  const usual = usualWords.find(([names]) => names.test(name))?.[1] ?? "example";
  return (said ?? usual).padEnd(shortest, " example");
}

/** What a description names in quotes as an example: `(e.g., 'Paris', 'Rome')`. */
const toldExample = /\b(?:e\.g\.|eg|for example|such as|like)[,:]? ["'`“]([^"'`“”]{1,60})["'`”]/i;

/** Names of what is asked about. */
export const isSought = /^(?:q|query|search|keywords?|topic|term|search_?term)$/i;

/** What people would say where the schema gives nothing. */
const usualWords: readonly (readonly [RegExp, string])[] = [
  [/^(?:city|location|place|town|destination)$/i, "Paris"],
  [/^country$/i, "France"],
  [/^(?:language|lang)$/i, "English"],
  [isSought, "coffee"],
  [/^(?:message|text|content|body|prompt|comment|note)$/i, "Hello there"],
  [/(?:^|_)(?:first_?)?names?$|Names?$/i, "Ada"],
  [/title$/i, "My first one"],
];

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
