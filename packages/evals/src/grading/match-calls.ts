/** @module Which of the expected tool calls were made. Pairs as many as can be paired: a greedy choice would call a good run bad. */
import { must } from "@fettle/contract/formats";
import { type ArgumentMode, argumentsMatch } from "../predicates/match-arguments.ts";

export interface ExpectedCall {
  toolName: string;
  arguments: Record<string, unknown>;
  /** Overrides the mode of the options for this one call. */
  argumentMatching?: ArgumentMode;
  deep?: boolean;
}

export interface MadeCall {
  toolName: string;
  arguments: Record<string, unknown>;
}

/** In the words of the API. */
export interface MatchOptions {
  toolCallOrder: "any" | "in-order" | "exact";
  extraToolCalls: "unlimited" | number;
  arguments: ArgumentMode;
}

export const defaultMatchOptions: MatchOptions = {
  toolCallOrder: "any",
  extraToolCalls: "unlimited",
  arguments: "partial",
};

export interface ArgumentMismatch {
  toolName: string;
  expectedArgs: Record<string, unknown>;
  actualArgs: Record<string, unknown>;
}

export interface CallMatch {
  passed: boolean;
  missing: ExpectedCall[];
  extra: MadeCall[];
  argumentMismatches: ArgumentMismatch[];
  /** Index of the expected call, index of the made one. */
  pairs: [number, number][];
}

export function matchCalls(
  expected: readonly ExpectedCall[],
  made: readonly MadeCall[],
  options: MatchOptions = defaultMatchOptions,
): CallMatch {
  const fits = (e: number, m: number) =>
    isCompatible(must(expected[e], "each expected call"), must(made[m], "each made call"), options);
  const pairs = pairings[options.toolCallOrder](expected.length, made.length, fits);
  const paired = new Map(pairs);
  const unused = new Set(made.keys());
  for (const [, m] of pairs) unused.delete(m);

  const missing: ExpectedCall[] = [];
  const argumentMismatches: ArgumentMismatch[] = [];
  // A made call explains one expectation at most; it stays extra, for it was not what was asked for.
  const explained = new Set<number>();
  for (const [index, call] of expected.entries()) {
    if (paired.has(index)) continue;
    const near = nearMiss(index, call, made, options, pairs, (m) => unused.has(m) && !explained.has(m));
    if (near === undefined) {
      missing.push(call);
    } else {
      const [m, { arguments: actualArgs }] = near;
      explained.add(m);
      const { toolName, arguments: expectedArgs } = call;
      argumentMismatches.push({ toolName, expectedArgs, actualArgs });
    }
  }
  const extra = made.filter((_, m) => unused.has(m));
  const tooMany = options.extraToolCalls !== "unlimited" && extra.length > options.extraToolCalls;
  return {
    passed: missing.length === 0 && argumentMismatches.length === 0 && !tooMany,
    missing,
    extra,
    argumentMismatches,
    pairs,
  };
}

function isCompatible(expected: ExpectedCall, made: MadeCall, options: MatchOptions): boolean {
  if (expected.toolName !== made.toolName) return false;
  const mode = expected.argumentMatching ?? options.arguments;
  return argumentsMatch(expected.arguments, made.arguments, { mode, deep: expected.deep ?? false });
}

type Fits = (expected: number, made: number) => boolean;
type Pairing = (expected: number, made: number, fits: Fits) => [number, number][];

const pairings: Record<MatchOptions["toolCallOrder"], Pairing> = {
  any: largestMatching,
  "in-order": longestInOrder,
  exact: (expected, made, fits) =>
    Array.from({ length: Math.min(expected, made) }, (_, index): [number, number] => [index, index]).filter(
      ([e, m]) => fits(e, m),
    ),
};

/** Maximum bipartite matching by augmenting paths: an expectation may push another one to a call that suits it as well. */
function largestMatching(expected: number, made: number, fits: Fits): [number, number][] {
  const candidates = Array.from({ length: expected }, (_, e) =>
    Array.from({ length: made }, (_, m) => m).filter((m) => fits(e, m)),
  );
  const takenBy = new Map<number, number>();
  const place = (e: number, tried: Set<number>): boolean => {
    for (const m of must(candidates[e], "candidates for each expected call")) {
      if (tried.has(m)) continue;
      tried.add(m);
      const holder = takenBy.get(m);
      if (holder === undefined || place(holder, tried)) {
        takenBy.set(m, e);
        return true;
      }
    }
    return false;
  };
  for (let e = 0; e < expected; e += 1) place(e, new Set());
  return [...takenBy].map(([m, e]): [number, number] => [e, m]).sort(([one], [other]) => one - other);
}

/** The longest common subsequence: both orders are kept, calls may lie between. */
function longestInOrder(expected: number, made: number, fits: Fits): [number, number][] {
  const rows = Array.from({ length: expected }, () => new Array<number>(made).fill(0));
  // Past the end of either nothing is left to be paired.
  const best = (e: number, m: number) => rows[e]?.[m] ?? 0;
  const fit = rows.map((row, e) => row.map((_, m) => fits(e, m)));
  const isFit = (e: number, m: number) => fit[e]?.[m] === true;
  for (const [e, row] of [...rows.entries()].reverse()) {
    for (let m = made - 1; m >= 0; m -= 1) {
      const skipped = Math.max(best(e + 1, m), best(e, m + 1));
      row[m] = isFit(e, m) ? Math.max(skipped, 1 + best(e + 1, m + 1)) : skipped;
    }
  }
  const pairs: [number, number][] = [];
  for (let e = 0, m = 0; e < expected && m < made; ) {
    if (isFit(e, m) && best(e, m) === 1 + best(e + 1, m + 1)) pairs.push([e++, m++]);
    else if (best(e + 1, m) >= best(e, m + 1)) e += 1;
    else m += 1;
  }
  return pairs;
}

/** An unused call to the expected tool, where the order would have allowed it: its arguments were the fault. */
function nearMiss(
  index: number,
  { toolName }: ExpectedCall,
  made: readonly MadeCall[],
  { toolCallOrder }: MatchOptions,
  pairs: readonly [number, number][],
  isFree: (made: number) => boolean,
): [number, MadeCall] | undefined {
  const before = pairs.filter(([e]) => e < index).map(([, m]) => m);
  const start = toolCallOrder === "in-order" ? Math.max(-1, ...before) + 1 : 0;
  return [...made.entries()].find(
    ([m, call]) =>
      call.toolName === toolName && isFree(m) && (toolCallOrder === "exact" ? m === index : m >= start),
  );
}
