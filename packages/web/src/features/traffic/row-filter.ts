/** @module The filter over messages: words, and `method:`, `state:`, `took:`, `text:` with what they ask of a row. Pure. */
import type { ExchangeRow } from "./exchanges.ts";

type Test = (row: ExchangeRow) => boolean;

/** A word, or one with a name before it; quotes hold several together. */
const words = /(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g;

/**
 * @example
 * rowFilter("method:tools/call state:error took:>500") // failed calls that took more than half a second
 */
export function rowFilter(text: string): Test {
  const tests = [...text.matchAll(words)].map(([whole, name, quoted, plain]) => {
    const wanted = (quoted ?? plain ?? "").toLowerCase();
    const known = name === undefined ? undefined : named[name];
    return known ? known(wanted) : hasText((name === undefined ? wanted : whole).toLowerCase());
  });
  return (row) => tests.every((test) => test(row));
}

const hasText =
  (wanted: string): Test =>
  (row) =>
    textOf(row).includes(wanted);

const named: Record<string, (wanted: string) => Test> = {
  method:
    (wanted) =>
    ({ method }) =>
      method.toLowerCase().includes(wanted),
  state:
    (wanted) =>
    ({ state }) =>
      state === wanted,
  took: (wanted) => {
    const [, sign = "", digits = ""] = /^([<>]?)(\d+)$/.exec(wanted) ?? [];
    // Half a filter, while it is typed, finds what the rest of it does.
    if (digits === "") return () => true;
    const ms = Number(digits);
    return ({ tookMs }) =>
      tookMs !== undefined && (sign === ">" ? tookMs > ms : sign === "<" ? tookMs < ms : tookMs === ms);
  },
  text: hasText,
};

function textOf({ method, subject, level, state, request, answer }: ExchangeRow): string {
  return `${method} ${subject ?? ""} ${level ?? ""} ${state} ${JSON.stringify([request, answer])}`.toLowerCase();
}
