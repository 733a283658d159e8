/** @module What differs from run to run, named instead: addresses, folders, ids, times and secrets; and what is long, cut where the eye has seen enough. */

import { join } from "node:path";

/** In turn; each is what one run says and the next says otherwise. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // First: the end of a key may look like a time.
  // As many as there are commands or checks.
  [/("moreChoices": )\d+/g, "$1<n>"],
  // It holds an id of this run.
  [/("nextCursor": ")[\w-]+"/g, '$1<cursor>"'],
  [/\bsk_\.\.\.\w+|\bsk_\w+/g, "<key>"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\bc_[\w-]{21}(?![\w-])/g, "c_<random>"],
  [/\ber_[0-9a-f]{20}_/g, "er_<random>_"],
  [/(\/tunnel\/|"slug": ")\w{16}\b/g, "$1<random>"],
  // How far it had come whenever it was looked at.
  [/^.*\(Ctrl-C stops watching\)\n?/gm, ""],
  // Of an entry that names the port it is on.
  [/(latestContentHash"?:? +"?)[0-9a-f]{64}/g, "$1<hash>"],
  [/until \d\d:\d\d:\d\d/g, "until <time>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/\b1[789]\d{11}\b/g, "<ms>"],
  [/\b\d+(\.\d+)?( ?)(ms|s|min)\b(?! more)/g, "<took>"],
  [/("[_a-zA-Z]*(?:[dD]urationMs|latencyMs|[eE]lapsedMs|Ms)": )[\d.]+/g, "$1<n>"],
  [/(\b\w*[dD]urationMs +)[\d.]+/g, "$1<n>"],
  [/127\.0\.0\.1:(?!1\b)\d+/g, "127.0.0.1:<port>"],
  [/localhost:\d+/g, "localhost:<port>"],
  [/127\.0\.0\.1%3A\d+/g, "127.0.0.1%3A<port>"],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/g, "<date>"],
  // Columns are as wide as what was just named otherwise.
  [/(?<=\S) {3,}/g, "  "],
  [/(?<=\S) +$/gm, ""],
];

/** The folder of the sources. */
const checkout = join(import.meta.dirname, "..", "..", "..", "..");

const longestList = 3;
const mostLines = 45;

export interface Names {
  home: string;
  cwd: string;
  names: Readonly<Record<string, string>>;
}

export function normaliser({ home, cwd, names }: Names): (said: string) => string {
  const ids = new Map<string, string>();
  const numbered = (id: string, prefix: string) => {
    const seen = [...ids.keys()].filter((other) => other.startsWith(`${prefix}_`)).length;
    const shown = ids.get(id) ?? `<${prefix}_${seen + 1}>`;
    ids.set(id, shown);
    return shown;
  };
  return (said) => {
    const known = [
      ...Object.entries(names)
        .filter(([name]) => name !== "DEAD")
        .map(([name, value]) => [value, `$${name}`] as const),
      [cwd, "<cwd>"] as const,
      [home, "<home>"] as const,
      [checkout, "<checkout>"] as const,
    ].toSorted(([a], [b]) => b.length - a.length);
    let text = said;
    for (const [value, name] of known) text = text.replaceAll(value, name);
    // Before the ids, which some of them look like.
    text = text.replace(/\bf[a-z]{2}_[0-9A-Za-z]{40,}/g, "<token>").replace(/\bsk_\w{20,}/g, "<key>");
    text = text.replace(/\bwhsec_[\w+/=]+/g, "<secret>");
    text = text.replace(/\b(state|code_challenge|nonce|code)=[\w-]{20,}/g, "$1=<random>");
    text = text.replace(/(?<![\w/-])[\w-]{43}(?![\w/-])/g, "<random>");
    text = text.replace(/\b([a-z]{2,6})_[0-9A-HJKMNP-TV-Za-z]{16,}\b/g, numbered);
    for (const [pattern, name] of patterns) text = text.replace(pattern, name);
    return text;
  };
}

/** One JSON document with its long lists cut, or the text as it is. */
export function legible(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .flatMap((line) => pretty(line).split("\n"));
  const shown = lines.map((line) => (line.length > 240 ? `${line.slice(0, 240)} …` : line));
  if (shown.length <= mostLines) return shown.join("\n");
  return [...shown.slice(0, mostLines), "… and more lines"].join("\n");
}

function pretty(line: string): string {
  if (!/^[{[]/.test(line)) return line;
  try {
    return JSON.stringify(shortened(JSON.parse(line)), null, 1);
  } catch {
    return line;
  }
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const first = value.slice(0, longestList).map(shortened);
    return value.length > longestList ? [...first, `… ${value.length - longestList} more`] : first;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, shortened(held)]));
}
