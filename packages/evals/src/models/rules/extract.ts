/** @module The values a clause holds, each to be used once: quotes, addresses, dates, numbers, ids, and what stands beside a parameter's name. Pure. */
import { quotedText } from "./clauses.ts";

const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
// Begins where a word begins: tried at every letter of a long word, it would read the rest of the word each time.
const email = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const url = /https?:\/\/[^\s"'<>]+[^\s"'<>.,;:!?)]/g;
const isoDate = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g;
const relativeDate = new RegExp(`\\b(?:today|tomorrow|next (?:${weekdayNames.join("|")}))\\b`, "gi");
const number = /(?<![\p{L}\p{N}_.#-])-?\d+(?:\.\d+)?(?![\p{L}\p{N}_]|\.\d|-\d)/gu;

export interface Values {
  clause: string;
  quotes: string[];
  emails: string[];
  urls: string[];
  dates: string[];
  numbers: number[];
  /** As written: `12` of "#12" and "note 12", `ABC-12`. */
  ids: string[];
  /** The clause with everything above blanked out but ids and numbers. */
  rest: string;
}

export function valuesIn(clause: string, now: number): Values {
  let rest = clause;
  const take = (pattern: RegExp): string[] => {
    const found = rest.match(pattern) ?? [];
    rest = rest.replace(pattern, (match) => " ".repeat(match.length));
    return found;
  };
  const quotes = take(quotedText).map((quote) => quote.slice(1, -1));
  const urls = take(url);
  const emails = take(email);
  const dates = [...take(isoDate), ...take(relativeDate).map((word) => resolveDate(word, now))];
  return {
    clause,
    quotes,
    urls,
    emails,
    dates,
    numbers: (rest.match(number) ?? []).map(Number),
    ids: idsIn(rest),
    rest,
  };
}

function idsIn(text: string): string[] {
  const found = text.matchAll(
    /#(\d+)|\b(?:id|number)\s*[:=]?\s*(\d+)\b|\b([A-Za-z]{1,6}-\d+)\b|(?<![\p{L}\p{N}_.-])(\d+)(?![\p{L}\p{N}_]|\.\d)/giu,
  );
  return [...found].flatMap(([, ...groups]) => groups.find((group) => group !== undefined) ?? []);
}

const day = 24 * 60 * 60 * 1000;

/** In universal time, so that a run reads the same everywhere. */
function resolveDate(word: string, now: number): string {
  const words = word.toLowerCase();
  const today = new Date(now).getUTCDay();
  const ahead =
    words === "today"
      ? 0
      : words === "tomorrow"
        ? 1
        : ((weekdayNames.indexOf(words.slice("next ".length)) - today + 6) % 7) + 1;
  return new Date(now + ahead * day).toISOString().slice(0, 10);
}

/** What is written beside a parameter's name: `name: v`, `name = v`, `name is v`; of names and titles also `named v`, `called v`. */
export function besideName(clause: string, name: string): string | undefined {
  const spelled = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
    .join("[ _-]?");
  if (spelled === "") return undefined;
  const isTitle = /^(?:name|title|label)$/i.test(name);
  const before = `(?<![\\p{L}\\p{N}_])(?:${spelled}\\s*(?::|=|\\bis\\b)${isTitle ? "|named|called" : ""})\\s*`;
  const found = new RegExp(`${before}(.+)$`, "isu").exec(clause)?.[1];
  if (found === undefined) return undefined;
  const quote = new RegExp(`^(?:${quotedText.source})`, "u").exec(found)?.[0];
  if (quote !== undefined) return quote.slice(1, -1);
  const [value = ""] = found.split(
    /[,;!?)](?=\s|$)|\.(?=\s|$)|\s+(?:and|with)\s+(?=[\p{L}_][\p{L}\p{N}_]*\s*[:=])/u,
  );
  return value.trim() === "" ? undefined : value.trim();
}

/** A name in capitals after a small word: "weather in New York today" gives "New York". */
export function properNoun(rest: string): string | undefined {
  const found =
    /\b(?:in|for|at|of|to|named|called)\s+(\p{Lu}[\p{L}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*)/u.exec(rest);
  return found?.[1];
}

/** What a question is about: after the first `for`, `about` or `on`, else all of it. */
export function subjectOf(clause: string): string {
  const about = /\b(?:for|about|on)\s+(.+)$/is.exec(clause)?.[1] ?? clause;
  return about
    .replace(/[\s.!?]+$/, "")
    .replace(/^["“'`](.*)["”'`]$/s, "$1")
    .trim();
}
