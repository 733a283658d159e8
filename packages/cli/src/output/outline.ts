/** @module A value of any shape for eyes: keys beside their values, deeper ones indented. Exact JSON is what `--format json` is for. */
import { isExactNumber } from "@fettle/contract/formats";
import { block, join, lines, pad, style, type Text, text, widthOf } from "./text.ts";

const indent = "  ";

/**
 * @example
 * outline({ title: "Tin Swallows", stock: { shelf: 3, store: 0 } })
 */
export function outline(value: unknown): Text {
  return lines(outlineLines(value));
}

function outlineLines(value: unknown): Text[] {
  if (Array.isArray(value)) return listLines(value);
  if (isBranch(value)) return memberLines(value);
  return scalarLines(value);
}

function memberLines(record: Record<string, unknown>): Text[] {
  const entries = Object.entries(record);
  const width = Math.max(0, ...entries.filter(([, value]) => isShort(value)).map(([key]) => widthOf(key)));
  return entries.flatMap(([key, value]) =>
    isShort(value)
      ? [text`${style.dim(pad(key, width))}  ${shortText(value)}`]
      : [text`${style.dim(key)}`, ...outlineLines(value).map(indented)],
  );
}

function listLines(items: readonly unknown[]): Text[] {
  return items.flatMap((item) =>
    outlineLines(item).map((line, index) => join([index === 0 ? style.dim("- ") : indent, line])),
  );
}

/** Text of several lines keeps them, each on its own. */
function scalarLines(value: unknown): Text[] {
  if (typeof value !== "string") return [shortText(value)];
  return value.split("\n").map((line) => block(line));
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !isExactNumber(value) && Object.keys(value).length > 0
  );
}

function isShort(value: unknown): boolean {
  if (Array.isArray(value))
    return value.every((item) => !isBranch(item)) && JSON.stringify(value).length < 60;
  return !isBranch(value) && !(typeof value === "string" && value.includes("\n"));
}

function shortText(value: unknown): Text {
  if (Array.isArray(value))
    return value.length === 0 ? style.dim("none") : text`${value.map(plainText).join(", ")}`;
  if (isExactNumber(value)) return text`${value.rawJSON}`;
  if (typeof value === "object" && value !== null) return style.dim("empty");
  if (value === null || value === undefined) return style.dim(String(value));
  return value === "" ? style.dim('""') : text`${String(value)}`;
}

function plainText(value: unknown): string {
  return isExactNumber(value) ? value.rawJSON : String(value);
}

function indented(line: Text): Text {
  return join([indent, line]);
}
