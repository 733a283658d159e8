/**
 * @module What becomes of one fault. The nearest test alone goes first, since it catches most; then the types of its package; then the
 * other tests; at last the types of whatever uses it, which take longest.
 */

export type Outcome = "caught" | "caught by types" | "survived" | "no test" | "tests fail without it";

export interface Trial {
  /** The nearest first. */
  tests: readonly string[];
  /** Runs tests with the fault planted; longer than `seconds` is red. */
  runWith: (tests: readonly string[], seconds: number) => Promise<"green" | "red">;
  /** Seconds that one test takes without the fault; undefined when it fails. */
  secondsWithout: (test: string) => Promise<number | undefined>;
  /** Whether the type check passes with the fault planted: of the file's package, or of all. */
  typesHold: (where: "package" | "everywhere") => boolean | Promise<boolean>;
}

/** Enough for most test files; one that needs more is measured and gets its time. */
const secondsAtFirst = 100;

export async function outcomeOf({ tests, runWith, secondsWithout, typesHold }: Trial): Promise<Outcome> {
  const [nearest, ...others] = tests;
  if (nearest === undefined) return "no test";
  let failing = 0;
  for (const some of [[nearest], others]) {
    if (some === others && !(await typesHold("package"))) return "caught by types";
    if (some.length > 0 && (await isNoticed(some))) return "caught";
  }
  if (failing === tests.length) return "tests fail without it";
  return (await typesHold("everywhere")) ? "survived" : "caught by types";

  /** Tests are run without the fault only after they failed with it: green with a fault needs no second look. */
  async function isNoticed(some: readonly string[]): Promise<boolean> {
    const given = some.length * secondsAtFirst;
    if ((await runWith(some, given)) === "green") return false;
    const seconds = new Map<string, number>();
    for (const test of some) {
      const took = await secondsWithout(test);
      if (took === undefined) failing += 1;
      else seconds.set(test, took);
    }
    // A fault that never ends is noticed, too.
    const needed = [...seconds.values()].reduce((sum, took) => sum + took, 0) * 3 + 30;
    if (seconds.size === some.length && needed <= given) return true;
    return seconds.size > 0 && (await runWith([...seconds.keys()], needed)) === "red";
  }
}
