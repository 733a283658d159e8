/**
 * @module Text for a terminal. Plain strings are made visible on the way in, and colour exists only as a mark on a span until it is
 * rendered; so no string from a server can move the cursor, and a table can measure what it holds.
 */
import { styleText } from "node:util";
import { makeVisible } from "./visible.ts";
import { graphemesOf, widthOfGrapheme, widthOfString } from "./width.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "underline";

interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

/** Something safe to write to a terminal. Made only here. */
export class Text {
  readonly spans: readonly Span[];

  constructor(spans: readonly Span[]) {
    this.spans = spans;
  }

  get plain(): string {
    return this.spans.map((span) => span.text).join("");
  }
}

export type Writable = string | number | Text;

/** A value as safe text: a string is sanitised, text stays as it is. */
export function toText(value: Writable): Text {
  return value instanceof Text ? value : new Text([{ text: makeVisible(String(value)), styles: [] }]);
}

/**
 * Builds text from a template. What is written in the template is ours; what is filled in is sanitised.
 *
 * @example
 * text`Linked to ${style.bold(project.name)}`
 */
export function text(parts: TemplateStringsArray, ...values: Writable[]): Text {
  return join(parts.flatMap((part, index) => [ours(part), ...values.slice(index, index + 1)]));
}

/** Text of several lines that a server wrote: line breaks stay, everything else hidden is shown. */
export function block(value: string): Text {
  return new Text([{ text: makeVisible(value, { lines: true }), styles: [] }]);
}

export function join(values: readonly Writable[], separator = ""): Text {
  return new Text(
    values.flatMap((value, index) => [
      ...(index > 0 && separator ? ours(separator).spans : []),
      ...toText(value).spans,
    ]),
  );
}

export function lines(values: readonly Writable[]): Text {
  return join(values, "\n");
}

function ours(literal: string): Text {
  return new Text([{ text: literal, styles: [] }]);
}

function styled(added: Style) {
  return (value: Writable): Text =>
    new Text(toText(value).spans.map(({ text, styles }) => ({ text, styles: [added, ...styles] })));
}

export const style = {
  bold: styled("bold"),
  dim: styled("dim"),
  red: styled("red"),
  green: styled("green"),
  yellow: styled("yellow"),
  cyan: styled("cyan"),
  underline: styled("underline"),
} satisfies Record<Style, (value: Writable) => Text>;

export function render(value: Writable, { colour }: { colour: boolean }): string {
  const { spans } = toText(value);
  if (!colour) return spans.map((span) => span.text).join("");
  return spans
    .map(({ text, styles }) =>
      styles.length === 0 ? text : styleText([...styles], text, { validateStream: false }),
    )
    .join("");
}

/** Columns taken on screen: wide characters count two, combining ones none. */
export function widthOf(value: Writable): number {
  return widthOfString(toText(value).plain);
}

/** Shortens to `width` columns, with an ellipsis when something was cut. */
export function truncate(value: Writable, width: number): Text {
  const whole = toText(value);
  if (widthOf(whole) <= width) return whole;
  const kept: Span[] = [];
  let room = width - 1;
  for (const span of whole.spans) {
    let text = "";
    for (const grapheme of graphemesOf(span.text)) {
      room -= widthOfGrapheme(grapheme);
      if (room < 0) return new Text([...kept, { ...span, text: `${text}…` }]);
      text += grapheme;
    }
    kept.push({ ...span, text });
  }
  return new Text(kept);
}

export function pad(value: Writable, width: number, align: "left" | "right" = "left"): Text {
  const space = " ".repeat(Math.max(0, width - widthOf(value)));
  return align === "left" ? join([value, ours(space)]) : join([ours(space), value]);
}

/** Breaks a paragraph at spaces so that no line is wider than `width`; a longer word stays whole. */
export function wrap(paragraph: string, width: number): string[] {
  const wrapped: string[] = [];
  let line = "";
  for (const word of makeVisible(paragraph).split(" ")) {
    if (line && widthOfString(line) + 1 + widthOfString(word) > width) {
      wrapped.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...wrapped, line];
}
