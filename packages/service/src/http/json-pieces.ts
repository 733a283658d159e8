/** @module A large answer written piece by piece, in turn with everything else: the same text as one `JSON.stringify`, without its long stop. */
import { isExactNumber } from "@fettle/contract/formats";
import { nextTurn, sliceLength, wholeLength } from "@fettle/mcp";

interface PieceOptions {
  length?: number;
  turn?: () => Promise<void>;
}

/** Whether writing it in one go takes so long that others would notice. Looks no further than it must to know. */
export function isLargeJson(value: unknown, length = wholeLength): boolean {
  return roomAfter(value, length) < 0;
}

/**
 * @example
 * reply.type("application/json").send(Readable.from(jsonPieces(output)));
 */
export async function* jsonPieces(
  value: unknown,
  { length = sliceLength, turn = nextTurn }: PieceOptions = {},
): AsyncGenerator<string> {
  yield* piecesOf(value);

  async function* piecesOf(part: unknown): AsyncGenerator<string> {
    if (typeof part === "string") yield* piecesOfString(part);
    else if (Array.isArray(part)) yield* piecesOfArray(part);
    else if (isMap(part)) yield* piecesOfObject(part);
    else yield JSON.stringify(part) ?? "null";
  }

  async function* piecesOfString(text: string): AsyncGenerator<string> {
    yield '"';
    for (let at = 0; at < text.length; ) {
      let end = at + length;
      // A pair that is cut in two would be written as two halves.
      if (isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
      await turn();
      yield JSON.stringify(text.slice(at, end)).slice(1, -1);
      at = end;
    }
    yield '"';
  }

  async function* piecesOfArray(items: unknown[]): AsyncGenerator<string> {
    yield "[";
    let separator = "";
    for (let at = 0; at < items.length; separator = ",") {
      const { end, isLarge } = nextGroup(items, at);
      await turn();
      if (isLarge) {
        yield separator;
        yield* piecesOf(items[at]);
      } else yield separator + JSON.stringify(items.slice(at, end)).slice(1, -1);
      at = end;
    }
    yield "]";
  }

  async function* piecesOfObject(object: object): AsyncGenerator<string> {
    const entries = Object.entries(object).filter(([, member]) => isWritten(member));
    const members = entries.map(([, member]) => member);
    yield "{";
    let separator = "";
    for (let at = 0; at < entries.length; separator = ",") {
      const { end, isLarge } = nextGroup(members, at);
      await turn();
      if (isLarge) {
        yield `${separator}${JSON.stringify(entries[at]?.[0])}:`;
        yield* piecesOf(members[at]);
      } else yield separator + JSON.stringify(Object.fromEntries(entries.slice(at, end))).slice(1, -1);
      at = end;
    }
    yield "}";
  }

  /** As many small values as make a piece, or one that is large itself. */
  function nextGroup(values: unknown[], from: number): { end: number; isLarge: boolean } {
    let room = length;
    let end = from;
    while (end < values.length) {
      room = roomAfter(values[end], room);
      if (room < 0) break;
      end += 1;
    }
    if (end > from) return { end, isLarge: false };
    return { end: from + 1, isLarge: true };
  }
}

const bracketsAndCommas = 4;

/** What is left of `room` after the value is written, roughly; negative as soon as it does not fit. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - bracketsAndCommas;
  let left = room - bracketsAndCommas;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = roomAfter(item, left);
      if (left < 0) return left;
    }
  } else if (isMap(value)) {
    for (const key in value) {
      left = roomAfter(value[key], left - key.length - bracketsAndCommas);
      if (left < 0) return left;
    }
  }
  return left;
}

/** A plain object. What writes itself (a date, an exact number) is a small leaf. */
function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !("toJSON" in value) && !isExactNumber(value);
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
