/** @module What must be there because of what was done before, where the types cannot know it. */

/**
 * `what`: named in the error that ends the work when it is not there; a hole that travels on is found far from its cause.
 *
 * @example
 * const tally = must(tallies.get(run.id), "a tally for each run");
 */
export function must<Value>(value: Value | undefined | null, what: string): Value {
  if (value === undefined || value === null) throw new Error(`Missing: ${what}.`);
  return value;
}
