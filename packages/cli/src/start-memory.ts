/** @module What the start of a service leaves in memory, and on the disk for the next start. */
import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Nearly all that a start makes stays, which V8 takes for a need of ever more room for new objects: 64 MiB that an idle service
 * would hold for nothing. Until the service runs, the room does not grow.
 */
export function keepYoungSpaceSmall(): void {
  growYoungSpaceBy(1);
}

/** Once the service runs: from here on its requests decide how much room there is. */
export function settleAfterStart(): void {
  growYoungSpaceBy(2);
  // Now and not at the end, which a service that is killed never comes to.
  flushCompileCache();
  // What was needed for the start alone is half as much as what stays, and an idle process would not look for it for hours.
  collectGarbage();
}

function growYoungSpaceBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/** A context made after the flag has the function; the flag is of no use to anyone else. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: (how: object) => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
