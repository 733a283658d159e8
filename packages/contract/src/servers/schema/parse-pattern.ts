/** @module Reads the structure of an ECMAScript regular expression. What matches one character stays as it is written: the platform's own engine judges that. */

export type PatternNode =
  | { kind: "one"; source: string }
  | { kind: "assertion"; at: "start" | "end" | "boundary" | "inside" }
  | { kind: "sequence"; parts: PatternNode[] }
  | { kind: "choice"; options: PatternNode[] }
  | { kind: "repeat"; part: PatternNode; least: number; most: number };

/** Why a pattern cannot be evaluated in linear time, in words that follow "because it". */
export class UnsupportedPattern extends Error {}

/** Groups inside groups, at most. */
const maxDepth = 200;

/** `source` must compile with these flags; of what does, only look-around, back-references and inline flags are refused. */
export function parsePattern(source: string, flags: "" | "u"): PatternNode {
  const isUnicode = flags === "u";
  let at = 0;
  let depth = 0;

  const choice = (): PatternNode => {
    if (++depth > maxDepth) throw new UnsupportedPattern("nests its groups too deeply");
    const first = sequence();
    const others: PatternNode[] = [];
    while (source[at] === "|") {
      at += 1;
      others.push(sequence());
    }
    depth -= 1;
    return others.length === 0 ? first : { kind: "choice", options: [first, ...others] };
  };
  const sequence = (): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(term()));
    return { kind: "sequence", parts };
  };
  const repeated = (part: PatternNode): PatternNode => {
    const [text, sign, least = "", comma, most] = take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y) ?? [];
    if (text === undefined) return part;
    if (sign) return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Infinity };
    return {
      kind: "repeat",
      part,
      least: Number(least),
      most: comma ? Number(most || Infinity) : Number(least),
    };
  };
  const take = (shape: RegExp): RegExpExecArray | undefined => {
    shape.lastIndex = at;
    const found = shape.exec(source);
    if (found) at += found[0].length;
    return found ?? undefined;
  };
  const term = (): PatternNode => {
    if (take(/\^/y)) return { kind: "assertion", at: "start" };
    if (take(/\$/y)) return { kind: "assertion", at: "end" };
    if (take(/\\b/y)) return { kind: "assertion", at: "boundary" };
    if (take(/\\B/y)) return { kind: "assertion", at: "inside" };
    if (take(/\(\?<?[=!]/y)) throw new UnsupportedPattern("looks ahead or behind");
    if (take(/\\(?:[1-9]|k)/y)) throw new UnsupportedPattern("refers back to a group");
    if (take(/\((?:\?:|\?<[^>]*>|(?!\?))/y)) {
      const inner = choice();
      at += 1;
      return inner;
    }
    if (take(/\(\?/y)) throw new UnsupportedPattern("changes flags in its middle");
    const [one] = take(isUnicode ? oneCharacter : oneUnit) ?? [];
    if (one === undefined) throw new UnsupportedPattern("holds an escape of unclear meaning");
    // Alone it would be the beginning of a quantifier or of a class.
    return { kind: "one", source: !isUnicode && /^[{}\]]$/.test(one) ? `\\${one}` : one };
  };
  return choice();
}

const characterClass = String.raw`\[(?:[^\]\\]|\\[^])*\]`;
const commonEscapes = String.raw`\\(?:[dDwWsSfnrtv]|c[A-Za-z]|x[0-9A-Fa-f]{2}|0(?![0-9])`;
const oneCharacter = new RegExp(
  String.raw`${characterClass}|${commonEscapes}|[pP]\{[^}]*\}|u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}|[^A-Za-z0-9])|[^\\]`,
  "uy",
);
/** Without the Unicode flag almost anything may be escaped; what has another meaning there than it seems to have is refused. */
const oneUnit = new RegExp(
  String.raw`${characterClass}|${commonEscapes}|u[0-9A-Fa-f]{4}|[^A-Za-z0-9])|[^\\]`,
  "y",
);
