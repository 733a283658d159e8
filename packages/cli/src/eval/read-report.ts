/** @module Reads a JSON report of `eval run` back: what another run is compared with. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type RunFacts, readRunFacts } from "@fettle/evals";
import { usageError } from "../cli-error.ts";
import { whyUnreadable } from "../files/unreadable.ts";
import type { World } from "../world.ts";

/** Of one report; ten thousand repetitions fit. */
const mostBytes = 64 * 1024 * 1024;

export async function readReport({ cwd }: Pick<World, "cwd">, path: string): Promise<RunFacts> {
  const hint =
    "Write one with `fettle eval run --file suite.yaml --reporter json-summary --out report.json`.";
  let document: unknown;
  try {
    const file = resolve(cwd, path);
    if ((await stat(file)).size > mostBytes) throw new Error("it is larger than 64 MiB");
    document = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw usageError(`${path} cannot be read: ${whyUnreadable(cause)}.`, {
      cause,
      hint,
    });
  }
  const reading = readRunFacts(document);
  if (!reading.ok) throw usageError(`${path}: ${reading.problem}`, { hint });
  return reading.run;
}
