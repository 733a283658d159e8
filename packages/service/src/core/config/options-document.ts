/** @module The table of every option in docs/self-hosting.md, written from the options themselves. */
import { type Option, options } from "./options.ts";

const begin = "<!-- options: written by `npm run generate` -->";
const end = "<!-- /options -->";

function row(option: Option<unknown>): string {
  const name = [option.env, option.flag?.replace("|", "\\|")]
    .filter(Boolean)
    .map((word) => `\`${word}\``)
    .join("<br>");
  const fallback = option.defaultText ?? (option.default === undefined ? "none" : String(option.default));
  return `| ${name} | ${option.help} | ${fallback} |`;
}

/** The document with its table made anew; everything outside the two marks is left as it is. */
export function withOptionTable(document: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the document has no ${begin} … ${end}`);
  const table = [
    "| variable, flag | what it does | default |",
    "|---|---|---|",
    ...Object.values(options).map(row),
  ];
  return `${document.slice(0, from + begin.length)}\n\n${table.join("\n")}\n\n${document.slice(to)}`;
}
