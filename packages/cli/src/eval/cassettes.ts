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
    strictReplay,
    acceptStale,
  }: {
    cassette?: "record" | "replay" | "verify" | undefined;
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
  const lost = new Set(
    cases.flatMap(({ item, iterations }) =>
      iterations.some(({ facts }) => facts.status !== "completed") ? [item.id] : [],
    ),
  );
  for (const { path, outcome } of await tapes.save((caseKey) => lost.has(caseKey))) {
    if (outcome === "written") print.note(text`Recorded ${path}`);
    else if (outcome === "nothing") print.warn(text`Nothing was recorded for ${path}.`);
    else print.warn(text`${path} is kept as it was: not every repetition could be recorded.`);
  }
}

/** The model lives on while it is compared, so that its verdict counts; that the recording does not hold is told beside it. */
export function differsFromCassette({ cases }: SuiteRecord): boolean {
  return cases.some(({ iterations }) =>
    iterations.some(({ cassette }) => cassette?.mode === "verify" && cassette.misses > 0),
  );
}

/** A recording that no longer holds shows nothing about the server, and says so in an exit code of its own. */
export function stoppedByCassette({ cases }: SuiteRecord): boolean {
  return cases.some(({ iterations }) =>
    iterations.some(({ trace }) => trace?.turns.some(({ stop }) => stop.startsWith("cassette_"))),
  );
}
