/** @module HTML that cannot be forgotten to be escaped: text put into a template is text, only `Html` is markup. */

import { must } from "../formats/must.ts";

export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * Builds markup. Whatever is put in is escaped, unless it was built by this very function.
 *
 * @example
 * html`<p>${"<script>"}</p>`.markup; // "<p>&lt;script&gt;</p>"
 */
export function html(template: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(template.reduce((markup, text, index) => markup + render(parts[index - 1]) + text));
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(render).join("");
  return escapeText(String(part));
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => must(entities[character], "an entity for each of these"));
}

/** Plain sentences, in which `code` stands between backticks and an empty line begins a paragraph. */
export function paragraphs(text: string): Html[] {
  return text.split("\n\n").map((paragraph) => html`<p>${sentence(paragraph)}</p>`);
}

export function sentence(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
