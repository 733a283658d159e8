/** @module Of which kind an error is, by its code, its status and its words. The first row that fits decides. Pure. */

export const errorClasses = [
  "opaque",
  "timeout",
  "connection",
  "unavailable",
  "rate_limited",
  "auth",
  "permission",
  "method_not_found",
  "invalid_params",
  "not_found",
  "conflict",
  "parse",
  "internal",
  "domain",
] as const;
export type ErrorClass = (typeof errorClasses)[number];

export interface ErrorSaid {
  /** As it was said, scrubbed. */
  text: string;
  /** The same without what changes; see `templateOf`. */
  template: string;
  /** JSON-RPC's, or HTTP's. */
  code?: number | undefined;
}

/** Says nothing that anybody could act on. */
const opaque = new Set([
  "",
  "error",
  "failed",
  "unknown error",
  "internal error",
  "something went wrong",
  "an error occurred",
  "null",
  "undefined",
]);

interface Rule {
  codes: readonly number[];
  statuses: readonly number[];
  words: RegExp;
}

const nothing = /(?!)/;
const rule = (codes: number[], statuses: number[], words = nothing): Rule => ({ codes, statuses, words });

const rules: readonly [ErrorClass, Rule][] = [
  ["timeout", rule([-32001], [408, 504], /timed out|\betimedout\b|deadline exceeded|\btimeout\b/i)],
  [
    "connection",
    rule([-32000], [], /transport (?:is )?closed|\beconnreset\b|socket hang up|stream (?:has )?ended/i),
  ],
  ["unavailable", rule([], [502, 503], /\beconnrefused\b|\benotfound\b|temporarily unavailable/i)],
  ["rate_limited", rule([], [429], /rate[ _-]?limit|too many requests|\bquota\b/i)],
  ["auth", rule([], [401], /\bunauthori[sz]ed\b|invalid (?:access )?token|login required|www-authenticate/i)],
  [
    "permission",
    rule(
      [],
      [403],
      /\bforbidden\b|(?:permission|access) (?:is |was )?denied|insufficient[ _]scope|\beacces\b|\beperm\b/i,
    ),
  ],
  ["method_not_found", rule([-32601], [], /unknown tool|method not found/i)],
  [
    "invalid_params",
    rule(
      [-32602],
      [],
      /\brequired\b|\bmust (?:be|have|match|not)\b|invalid (?:enum|params?|arguments?|input|type|value)|expected\b.*\b(?:received|got)\b|does not match|validation/i,
    ),
  ],
  [
    "not_found",
    rule(
      [],
      [404],
      /not found|does(?: not|n't) exist|\bno such\b|\bmissing\b.*\b(?:file|record|resource|user|item|row|page|document|object)\b/i,
    ),
  ],
  ["conflict", rule([], [409], /already exists|\bduplicate\b|version mismatch/i)],
  ["parse", rule([-32700], [], /unexpected token|invalid json/i)],
  ["internal", rule([-32603], [500], /\b[A-Z]\w*(?:Error|Exception)\b|\sat \S+ \(|Traceback \(most recent/)],
];

/**
 * @example
 * errorClassOf({ text: "Order 9 not found", template: "order <n> not found" }) // "not_found"
 */
export function errorClassOf({ text, template, code }: ErrorSaid): ErrorClass {
  if (opaque.has(template)) return "opaque";
  const status = statusIn(template);
  const rpc = codeIn(template);
  const found = rules.find(
    ([, { codes, statuses, words }]) =>
      [code, rpc].some((one) => one !== undefined && codes.includes(one)) ||
      [code, status].some((one) => one !== undefined && statuses.includes(one)) ||
      words.test(text),
  );
  return found?.[0] ?? "domain";
}

function statusIn(template: string): number | undefined {
  const found = /\b(?:status|http|code|error)\b[\s:=#]*(\d{3})\b/.exec(template);
  return found ? Number(found[1]) : undefined;
}

function codeIn(template: string): number | undefined {
  const found = /\b(?:error|code)\b[\s:=#]*(-32\d{3})\b/.exec(template);
  return found ? Number(found[1]) : undefined;
}
