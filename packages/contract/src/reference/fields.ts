/** @module A JSON Schema as a list of fields that people can read: name, type, whether it must be there, and what it says. */
import { componentPrefix, type JsonSchema } from "../document/json-schema.ts";
import { Html, html, sentence } from "./html.ts";

/** What is worth marking: in what one sends, the fields that must be there; in what one reads, those that may be missing. */
type Marking = "required" | "optional";

/** Fields of an object, those of inner objects beneath them; named resources are linked, not repeated. */
export function fieldList(schema: JsonSchema, marking: Marking): Html {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties).map(([name, field]) => {
    const isMarked = required.includes(name) === (marking === "required");
    return fieldRow(name, field, marking, isMarked);
  });
  return html`<ul class="fields">${rows}</ul>`;
}

function fieldRow(name: string, field: JsonSchema, marking: Marking, isMarked: boolean): Html {
  const inner = innerObject(field);
  return html`<li>
<code class="name">${name}</code> <span class="type">${typeOf(field)}</span>${
    isMarked && html` <span class="${marking}">${marking}</span>`
  }
${notes(field)}${inner && fieldList(inner, marking)}</li>
`;
}

/** What stands for a schema where only a few words fit. */
export function typeOf(schema: JsonSchema): Html {
  if (schema.$ref) return resourceLink(schema.$ref.slice(componentPrefix.length));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return joined(choices.map(typeOf), " or ");
  if (schema.items) return html`array of ${typeOf(schema.items)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      " | ",
    );
  if (Array.isArray(schema.type)) return html`${schema.type.join(" or ")}`;
  return html`${schema.type ?? "anything"}`;
}

export function resourceLink(name: string): Html {
  return html`<a href="#resource-${name}">${name}</a>`;
}

function joined(parts: Html[], separator: string): Html {
  return new Html(parts.map(({ markup }) => markup).join(separator));
}

function notes(field: JsonSchema): Html | undefined {
  const described = field.description ?? field.anyOf?.find((choice) => choice.description)?.description;
  const limits = limitWords(field);
  if (!described && limits.length === 0) return undefined;
  const bounds = limits.join(", ");
  return html`<p>${described ? [...sentence(described), bounds && `; ${bounds}`] : capitalised(bounds)}</p>`;
}

function limitWords(field: JsonSchema): string[] {
  const { default: fallback } = field;
  return [
    range("characters", field.minLength, field.maxLength),
    range("entries", field.minItems, field.maxItems),
    range("", field.minimum, field.maximum),
    fallback === undefined ? undefined : `${JSON.stringify(fallback)} unless said`,
  ].filter((words) => words !== undefined);
}

function range(unit: string, min: number | undefined, max: number | undefined): string | undefined {
  const measure = unit && ` ${unit}`;
  if (min !== undefined && max !== undefined) return `${min} to ${max}${measure}`;
  if (max !== undefined) return `at most ${max}${measure}`;
  if (min !== undefined && !(unit && min === 1)) return `at least ${min}${measure}`;
  return undefined;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The object whose fields belong under this one: itself, what a list holds, or what may also be null. */
function innerObject(field: JsonSchema): JsonSchema | undefined {
  if (field.properties) return field;
  if (field.items) return innerObject(field.items);
  return field.anyOf?.find((choice) => choice.properties);
}
