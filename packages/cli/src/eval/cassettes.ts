/** @module The cassettes of a run: where they are kept, what must not get into them, and whether one stopped the run. */
import {
  type ModelConfiguration,
  openTapes,
  type ServerBinding,
  type SuiteRecord,
  type Tapes,
} from "@fettle/evals";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import { version } from "../version.ts";
import { namedSecrets } from "./known-secrets.ts";

interface RunOf {
  suite: { suite: { id: string } };
  bindings: readonly ServerBinding[];
  configuration: ModelConfiguration;
  world: { cwd: string };
  now: number;
}

export function openCassettes(
  {
    cassette,
    cassetteTools,
    strictReplay,
    acceptStale,
  }: {
    cassette?: "record" | "replay" | "verify" | undefined;
    cassetteTools?: boolean;
    strictReplay?: boolean;
    acceptStale?: boolean;
  },
  { suite, bindings, configuration, world, now }: RunOf,
): Tapes | undefined {
  if (cassette === undefined) return undefined;
  return openTapes({
    mode: cassette,
    folder: world.cwd,
    suiteId: suite.suite.id,
    fettleVersion: version,
    recordedAt: now,
    tools: cassetteTools === true,
    strict: strictReplay === true,
    acceptStale: acceptStale === true,
    secrets: namedSecrets(bindings, configuration),
  });
}

/** What became of each recording, for whoever asked for it. */
export async function saveCassettes(
  tapes: Tapes,
  { cases }: SuiteRecord,
  print: Pick<Printer, "note" | "warn">,
): Promise<void> {
  const lost = new Map(
    cases.map(({ item, iterations }) => [
      item.id,
      new Set(iterations.flatMap(({ brokeOff, facts }) => (brokeOff ? [facts.iterationNumber] : []))),
    ]),
  );
  for (const { path, outcome } of await tapes.save((caseKey) => lost.get(caseKey) ?? new Set())) {
    if (outcome === "written") print.note(text`Recorded ${path}`);
    else print.warn(text`${path}: ${unwritten[outcome]}`);
  }
}

const unwritten = {
  partial: "only the repetitions that came to their end are recorded; record again for all of them.",
  kept: "kept as it was, because not every repetition could be recorded.",
  nothing: "nothing was recorded.",
} as const;

/** The model lives on while it is compared, so that its verdict counts; that the recording does not hold is told beside it. */
export function differsFromCassette({ cases }: SuiteRecord): boolean {
  return cases.some(({ iterations }) =>
    iterations.some(({ cassette }) => cassette?.mode === "verify" && cassette.misses > 0),
  );
}

/** A recording that no longer holds shows nothing about the server, and says so in an exit code of its own. */
export function stoppedByCassette({ cases }: SuiteRecord): boolean {
  return cases.some(({ iterations }) => iterations.some((one) => one.stoppedByCassette));
}
