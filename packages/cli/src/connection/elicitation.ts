/** @module A server's question as a form in the terminal: field by field, each answer checked against what was asked. */
import { linearPattern } from "@fettle/contract/servers";
import { isObject, type JsonObject } from "@fettle/mcp";
import { style, text } from "../output/text.ts";
import type { Terminal } from "./terminal.ts";

export async function answerElicitation(terminal: Terminal, params: JsonObject): Promise<JsonObject> {
  terminal.say(text`\n${style.bold("The server asks:")} ${String(params.message ?? "")}`);
  return params.mode === "url" ? answerUrl(terminal, params) : answerForm(terminal, params);
}

async function answerUrl(terminal: Terminal, { url }: JsonObject): Promise<JsonObject> {
  terminal.say(text`Open this address yourself if you trust it: ${style.cyan(String(url ?? ""))}`);
  const answer = await terminal.ask(text`Done? ${style.dim("[y]es, [n]o, [c]ancel")}`);
  return { action: actionOf(answer) };
}

async function answerForm(terminal: Terminal, { requestedSchema }: JsonObject): Promise<JsonObject> {
  const action = actionOf(await terminal.ask(text`Answer? ${style.dim("[y]es, [n]o, [c]ancel")}`));
  if (action !== "accept") return { action };
  const schema = isObject(requestedSchema) ? requestedSchema : {};
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  // Made of entries: a field may be called __proto__.
  const content: [string, unknown][] = [];
  for (const [name, raw] of fields) {
    const field = isObject(raw) ? raw : {};
    const value = await terminal.askFor(questionFor(name, field, required.has(name)), (typed) =>
      readField(field, typed, required.has(name)),
    );
    // The end of input is no answer.
    if (value === undefined) return { action: "cancel" };
    if (value.given) content.push([name, value.value]);
  }
  return { action: "accept", content: Object.fromEntries(content) };
}

function actionOf(answer: string | undefined): "accept" | "decline" | "cancel" {
  if (answer === undefined) return "cancel";
  if (/^\s*y/i.test(answer)) return "accept";
  return /^\s*c/i.test(answer) ? "cancel" : "decline";
}

function questionFor(name: string, field: JsonObject, isRequired: boolean) {
  const choices = choicesOf(field);
  const facts = [
    ...(choices ? [choices.map(({ label }) => label).join(" | ")] : [String(field.type ?? "string")]),
    ...(field.type === "array" ? ["several, by commas"] : []),
    ...(field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`]),
    ...(isRequired ? ["required"] : []),
    ...patternFacts(field),
  ];
  const words = typeof field.description === "string" ? text` ${field.description}` : "";
  return text`  ${style.bold(String(field.title ?? name))}${words} ${style.dim(`(${facts.join(", ")})`)}`;
}

type FieldAnswer = { given: true; value: unknown } | { given: false };

/** Throws a sentence when the text is not a value of the field. */
export function readField(field: JsonObject, typed: string, isRequired: boolean): FieldAnswer {
  if (typed === "") {
    if (field.default !== undefined) return { given: true, value: field.default };
    if (isRequired) throw new Error("An answer is required.");
    return { given: false };
  }
  const choices = choicesOf(field);
  if (field.type === "array") {
    const parts = typed.split(",").map((part) => part.trim());
    return { given: true, value: choices ? parts.map((part) => chosen(choices, part)) : parts };
  }
  if (choices) return { given: true, value: chosen(choices, typed) };
  return { given: true, value: readScalar(field, typed) };
}

function readScalar(field: JsonObject, typed: string): unknown {
  switch (field.type) {
    case "boolean": {
      if (/^(y|yes|true)$/i.test(typed)) return true;
      if (/^(n|no|false)$/i.test(typed)) return false;
      throw new Error("Answer yes or no.");
    }
    case "integer":
    case "number":
      return readNumber(field, typed);
    default:
      return readText(field, typed);
  }
}

function readNumber({ type, minimum, maximum }: JsonObject, typed: string): number {
  const value = Number(typed);
  if (!Number.isFinite(value) || (type === "integer" && !Number.isInteger(value))) {
    throw new Error(`Answer with a ${type === "integer" ? "whole number" : "number"}.`);
  }
  if (typeof minimum === "number" && value < minimum) throw new Error(`At least ${minimum}.`);
  if (typeof maximum === "number" && value > maximum) throw new Error(`At most ${maximum}.`);
  return value;
}

/** The pattern of a text, and that it is not checked when it cannot be. */
function patternFacts({ pattern }: JsonObject): string[] {
  if (typeof pattern !== "string") return [];
  const usable = linearPattern(pattern);
  const shown = `pattern ${pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern}`;
  return [usable.kind === "usable" ? shown : `${shown}, not checked: it ${usable.reason}`];
}

function readText({ minLength, maxLength, pattern }: JsonObject, typed: string): string {
  if (typeof minLength === "number" && typed.length < minLength)
    throw new Error(`At least ${minLength} characters.`);
  if (typeof maxLength === "number" && typed.length > maxLength)
    throw new Error(`At most ${maxLength} characters.`);
  const shape = typeof pattern === "string" ? linearPattern(pattern) : undefined;
  if (shape?.kind === "usable" && shape.test(typed) === false)
    throw new Error("It does not match the pattern.");
  return typed;
}

interface Choice {
  value: unknown;
  label: string;
}

/** An enumeration in any of the spellings of the revisions: `enum`, with `enumNames`, or titled constants; of the items for a list. */
function choicesOf(field: JsonObject): Choice[] | undefined {
  const source = field.type === "array" && isObject(field.items) ? field.items : field;
  if (Array.isArray(source.enum)) {
    const names = Array.isArray(source.enumNames) ? source.enumNames : [];
    return source.enum.map((value, index) => ({ value, label: String(names[index] ?? value) }));
  }
  const titled = source.oneOf ?? source.anyOf;
  if (!Array.isArray(titled)) return undefined;
  return titled
    .filter(isObject)
    .map((option) => ({ value: option.const, label: String(option.title ?? option.const) }));
}

function chosen(choices: readonly Choice[], typed: string): unknown {
  const found = choices.find(({ value, label }) => label === typed || String(value) === typed);
  if (!found) throw new Error(`One of: ${choices.map(({ label }) => label).join(", ")}.`);
  return found.value;
}
