/** @module Where in a blueprint something is wrong: the service names a path, a person looks for a line. */
import type { SandboxImageBlueprintValidateResult } from "@fettle/contract/sandboxes";

type Fault = Extract<SandboxImageBlueprintValidateResult, { ok: false }>["errors"][number];

export interface PlacedFault extends Fault {
  /** From 1; null for the whole document. */
  line: number | null;
}

/** Of what is no YAML, the message begins with its line. */
export function placeFaults(source: string, faults: readonly Fault[]): PlacedFault[] {
  return faults.map(({ path, message }) => {
    const [, line, said] = /^Line (\d+): (.*)$/s.exec(message) ?? [];
    if (said !== undefined) return { path, message: said, line: Number(line) };
    return { path, message, line: path === "" ? null : lineOf(source, path) };
  });
}

/**
 * The line at which a path is written, or the nearest thing around it: what is missing has no line, and what stands in braces has
 * no line of its own. Reads the block style only, in which blueprints are written; that the text is YAML, the service has seen.
 *
 * @example
 * lineOf("base: x\ninitialize:\n  - name: a", "initialize[0].name") // 3
 */
export function lineOf(source: string, path: string): number | null {
  let around: Part = { lines: linesOf(source), at: null };
  for (const [step] of path.matchAll(/[^.[\]]+|\[\d+\]/g)) {
    const found = step.startsWith("[") ? itemOf(around, Number(step.slice(1, -1))) : entryOf(around, step);
    if (!found) break;
    around = found;
  }
  return around.at;
}

interface Line {
  number: number;
  indent: number;
  text: string;
}

interface Part {
  /** What it holds. */
  lines: readonly Line[];
  at: number | null;
}

function linesOf(source: string): Line[] {
  return source.split("\n").flatMap((line, at) => {
    const text = line.trimStart();
    if (text.trim() === "" || /^(#|---|%)/.test(text)) return [];
    return [{ number: at + 1, indent: line.length - text.length, text }];
  });
}

const isItem = ({ text }: Line) => /^-(\s|$)/.test(text);

function entryOf({ lines }: Part, key: string): Part | undefined {
  const indent = lines[0]?.indent;
  const start = lines.findIndex((line) => line.indent === indent && keyOf(line.text) === key);
  const entry = lines[start];
  if (!entry) return undefined;
  const after = lines.slice(start + 1);
  // A list may stand as far left as its key.
  const end = after.findIndex(
    (line) => line.indent < entry.indent || (line.indent === entry.indent && !isItem(line)),
  );
  return { lines: end < 0 ? after : after.slice(0, end), at: entry.number };
}

function itemOf({ lines }: Part, wanted: number): Part | undefined {
  const indent = lines[0]?.indent;
  const starts = lines.flatMap((line, at) => (line.indent === indent && isItem(line) ? [at] : []));
  const start = starts[wanted];
  const [first, ...rest] = start === undefined ? [] : lines.slice(start, starts[wanted + 1]);
  if (!first) return undefined;
  // Behind its dash a mapping begins, as far right as its other keys.
  const text = first.text.slice(1).trimStart();
  const inner = { ...first, indent: first.indent + first.text.length - text.length, text };
  return { lines: text === "" ? rest : [inner, ...rest], at: first.number };
}

function keyOf(text: string): string | undefined {
  const [, double, single, plain] =
    /^(?:"([^"]*)"|'([^']*)'|([^\s:#'"[\]{}][^:]*?))\s*:(?:\s|$)/.exec(text) ?? [];
  return double ?? single ?? plain;
}
