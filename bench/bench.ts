/** @module What a bench is: a name, and what it measures, row by row. */

export interface Row {
  what: string;
  value: number;
  unit: string;
  /** What each round measured, the yardstick included: what tells a change from noise. */
  rounds?: readonly number[];
  /** The lowest and highest of several measurements. */
  spread?: [number, number];
  goal?: Goal;
}

export type Goal = { atLeast: number } | { atMost: number };

export interface Bench {
  name: string;
  /** Measured only when it is asked for by name. */
  needsNetwork?: boolean;
  run(): Promise<Row[]>;
}

/** A row measured in rounds; its value is their median. */
export function inRounds(row: Omit<Row, "value"> & { rounds: readonly number[] }): Row {
  return { ...row, value: median(row.rounds) };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function meets({ value, goal }: Row): boolean {
  if (!goal) return true;
  return "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
}
