/** @module A large JSON text parsed slice by slice, in turn with everything else: the same value as one `JSON.parse`, without its long stop. */
import { mayHoldLongNumber, parseExactNumbers } from "@fettle/contract/formats";
import { type JsonLimits, type JsonMeasure, JsonMeter } from "./json-text.ts";
import { nextTurn, sliceLength } from "./turns.ts";

/** An array or object longer than a slice. */
interface Large {
  kind: "array" | "object";
  /** Of its brackets. */
  start: number;
  end: number;
  /** Where the commas between its children are. */
  commas: number[];
  /** The large ones among its descendants that are nearest. */
  children: Large[];
}

interface SliceOptions {
  /** Whether a number that a double would round may be in it, if that is known. */
  hasLongNumber?: boolean;
  length?: number;
  turn?: () => Promise<void>;
}

/**
 * As `JSON.parse`, whole numbers exact; rejects with a SyntaxError. The text must be within its caps.
 *
 * @example
 * await parseInSlices('{"rows":[1,2,3]}'); // { rows: [1, 2, 3] }
 */
export async function parseInSlices(text: string, options: SliceOptions = {}): Promise<unknown> {
  const { length = sliceLength, turn = nextTurn, hasLongNumber = true } = options;
  const parse = (slice: string): unknown =>
    hasLongNumber && mayHoldLongNumber(slice) ? parseExactNumbers(slice) : JSON.parse(slice);
  const outermost = await findLarge(text, length, turn);
  if (!outermost) return parse(text);
  requireBlank(text, 0, outermost.start);
  requireBlank(text, outermost.end + 1, text.length);
  return build(outermost);

  async function build(large: Large): Promise<unknown> {
    const isArray = large.kind === "array";
    const items: unknown[] = [];
    const members: Record<string, unknown> = {};
    const ends = [...large.commas, large.end];
    let start = large.start + 1;
    let nextLarge = 0;
    let index = 0;
    for (let end = ends[index]; end !== undefined; end = ends[++index]) {
      const child = large.children[nextLarge];
      if (child && child.start < end) {
        nextLarge += 1;
        const value = await build(child);
        requireBlank(text, child.end + 1, end);
        if (isArray) {
          requireBlank(text, start, child.start);
          items.push(value);
        } else setMember(members, keyIn(text.slice(start, child.start)), value);
      } else {
        // As many children as make a slice, up to the next large one.
        const until = child?.start ?? Number.POSITIVE_INFINITY;
        let next = ends[index + 1];
        while (next !== undefined && next - start <= length && next < until) {
          index += 1;
          end = next;
          next = ends[index + 1];
        }
        await turn();
        const slice = text.slice(start, end);
        if (isBlank(slice)) {
          if (ends.length === 1) break;
          throw new SyntaxError(`Expected a value at position ${end}`);
        }
        const string = slice.length > 2 * length ? stringIn(slice, large.kind) : undefined;
        if (string) {
          const value = await parseString(string.content);
          if (isArray) items.push(value);
          else setMember(members, keyIn(string.before), value);
        } else if (isArray) for (const item of parse(`[${slice}]`) as unknown[]) items.push(item);
        else
          for (const [key, value] of Object.entries(parse(`{${slice}}`) as object))
            setMember(members, key, value);
      }
      start = end + 1;
    }
    return isArray ? items : members;
  }

  /** What stands between the quotes of a long string; cut where no escape is cut in two. */
  async function parseString(content: string): Promise<string> {
    const parts: string[] = [];
    let slash = content.indexOf("\\");
    for (let at = 0; at < content.length; ) {
      let end = Math.min(at + length, content.length);
      let escapeEnd = at;
      while (slash !== -1 && slash < end) {
        escapeEnd = slash + (content[slash + 1] === "u" ? 6 : 2);
        slash = content.indexOf("\\", escapeEnd);
      }
      end = Math.max(end, escapeEnd);
      await turn();
      parts.push(JSON.parse(`"${content.slice(at, end)}"`) as string);
      at = end;
    }
    return parts.join("");
  }
}

/** The one string that a part of an array or object is, with what is before it; undefined when it is something else. */
function stringIn(part: string, kind: Large["kind"]): { before: string; content: string } | undefined {
  const [before] =
    (kind === "array" ? /^[ \t\n\r]*/ : /^[ \t\n\r]*"(?:[^"\\]|\\.){0,1000}"[ \t\n\r]*:[ \t\n\r]*/).exec(
      part,
    ) ?? [];
  if (before === undefined || part[before.length] !== '"') return undefined;
  const [after = ""] = /[ \t\n\r]{0,1000}$/.exec(part.slice(-1001)) ?? [];
  const end = part.length - after.length - 1;
  return end > before.length && part[end] === '"'
    ? { before, content: part.slice(before.length + 1, end) }
    : undefined;
}

/** `__proto__` is a member like others, as it is to `JSON.parse`. */
function setMember(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The key in `"key":`, which stands before a large value. */
function keyIn(text: string): string {
  // Anything but one member with the value that is put in here has no such single key.
  const [key, ...others] = Object.keys(JSON.parse(`{${text}0}`) as object);
  if (key === undefined || others.length > 0) throw new SyntaxError("Expected a property name");
  return key;
}

function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function requireBlank(text: string, from: number, to: number): void {
  const between = text.slice(from, to);
  if (!isBlank(between)) throw new SyntaxError(`Unexpected text at position ${from}`);
}

interface Open {
  kind: Large["kind"];
  start: number;
  commas: number[];
  children: Large[];
}

/** Finds what is longer than a slice, with its parts. Undefined when the text is no array or object that long. */
async function findLarge(
  text: string,
  length: number,
  turn: () => Promise<void>,
): Promise<Large | undefined> {
  const open: Open[] = [];
  let outermost: Large | undefined;
  let pauseAt = length;
  // Only these mean anything outside strings; in between the engine's own search is the fastest reader there is.
  const telling = /["[\]{},]/g;
  for (let found = telling.exec(text); found; found = telling.exec(text)) {
    const at = found.index;
    switch (found[0]) {
      case '"': {
        let end = endOfString(text, at + 1, at + length);
        while (end.isOpen) {
          await turn();
          end = endOfString(text, end.at, end.at + length);
        }
        telling.lastIndex = end.at;
        break;
      }
      case "[":
      case "{":
        if (open.length === 0 && outermost) throw new SyntaxError(`Unexpected text at position ${at}`);
        open.push({ kind: found[0] === "[" ? "array" : "object", start: at, commas: [], children: [] });
        break;
      case ",":
        open.at(-1)?.commas.push(at);
        break;
      default: {
        const closed = open.pop();
        if (!closed || (found[0] === "]") !== (closed.kind === "array"))
          throw new SyntaxError(`Unexpected token '${found[0]}' at position ${at}`);
        const isLarge = at - closed.start >= length;
        const parent = open.at(-1);
        if (isLarge && parent) parent.children.push({ ...closed, end: at });
        else if (isLarge) outermost = { ...closed, end: at };
      }
    }
    if (at >= pauseAt) {
      pauseAt = at + length;
      await turn();
    }
  }
  if (open.length > 0) throw new SyntaxError("Unexpected end of JSON input");
  return outermost;
}

/** Where a string ends; or, still open, where to look on, once so much of it was seen that others should have their turn. */
function endOfString(text: string, from: number, until: number): { at: number; isOpen: boolean } {
  for (let start = from; ; ) {
    const end = text.indexOf('"', start);
    if (end === -1) throw new SyntaxError("Unterminated string in JSON");
    let slashes = 0;
    // They reach back at most to the opening quote, which is none.
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    start = end + 1;
    if (slashes % 2 === 0) return { at: start, isOpen: false };
    if (start > until) return { at: start, isOpen: true };
  }
}

/** Finds out about a large text what has to be known before it is parsed. */
export async function measureInSlices(
  text: string,
  limits: JsonLimits,
  { length = sliceLength, turn = nextTurn }: SliceOptions = {},
): Promise<JsonMeasure> {
  const meter = new JsonMeter(limits);
  for (let at = 0; at < text.length && meter.excess === undefined; at += length) {
    await turn();
    meter.push(text.slice(at, at + length));
  }
  return meter;
}
