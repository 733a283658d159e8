/**
 * @module Who else uses a resource: schedules, pull requests, CI, visitors, running waves, other people. One answer for everything that
 * a write may touch, in sentences for the person who approves it.
 *
 *   server, sandbox image ──▶ environment ──▶ suite ──▶ schedule, pull requests, CI
 *                                         ──▶ scenario (visitors)
 *                                         ──▶ journey ◀── persona, swarm        ──▶ running wave
 */
import type { TouchedKind } from "@fettle/contract/core";
import type { Querier } from "../core/db/pool.ts";
import { plainName } from "./names.ts";
import { type Given, type Looking, type Touched, type UseCode, type UseRow, usesSql } from "./uses-sql.ts";

export interface Use {
  /** One sentence. */
  why: string;
  /** It is run without another click, by whoever set that up. */
  spends: boolean;
}

/** Empty: nobody else uses any of it, or the name that it gives. An id that is not of this project is used by nobody here. */
export async function usesOf(
  db: Querier,
  looking: Looking,
  touched: readonly Touched[],
  given?: Given,
): Promise<Use[]> {
  if (touched.length === 0 && !given) return [];
  const named = given && { ...given, noun: nouns[given.kind] };
  const { rows } = await db.execute<UseRow>(usesSql(looking, touched, named));
  const direct = new Map(touched.map(({ kind, id }) => [id, kind]));
  const uses = rows.map((row) => sentences[row.code](row, nameOf(row, direct.get(row.id))));
  return [...new Map(uses.map((use) => [use.why, use])).values()];
}

const nouns: Record<TouchedKind, string> = {
  evalSuite: "suite",
  environment: "environment",
  persona: "persona",
  journey: "journey",
  swarm: "swarm",
  server: "server",
  savedCall: "saved call",
  sandboxImage: "sandbox image",
};

const ofJourneys: ReadonlySet<UseCode> = new Set<UseCode>(["wave", "launched", "made_journey"]);

/** "This suite" of what is changed itself; by its name otherwise. */
function nameOf({ code, name }: UseRow, kind: TouchedKind | undefined): string {
  if (kind) return `This ${nouns[kind]}`;
  const noun = ofJourneys.has(code) ? "journey" : "suite";
  return `The ${noun} “${plainName(name ?? "")}”, which uses it,`;
}

const createdByAnother = (_: UseRow, what: string): Use => ({
  why: `${what} was created by someone else.`,
  spends: false,
});

const sentences: Record<UseCode, (row: UseRow, what: string) => Use> = {
  schedule: ({ detail }, what) => ({ why: `${what} runs ${everyText(Number(detail))}.`, spends: true }),
  pull_requests: ({ detail }, what) => ({
    why: `${what} runs on pull requests of ${plainName(detail ?? "")}.`,
    spends: true,
  }),
  ci: (_, what) => ({ why: `${what} runs in CI.`, spends: true }),
  scenario: ({ name, detail }) => ({
    why:
      detail === "anyone_with_link"
        ? `The public scenario “${plainName(name ?? "")}” uses it: anyone with the link can reach it.`
        : `The published scenario “${plainName(name ?? "")}” uses it.`,
    spends: true,
  }),
  wave: (_, what) => ({ why: `${what} is part of a running wave.`, spends: true }),
  monitor: ({ detail }, what) => ({ why: `${what} is checked ${everyText(Number(detail))}.`, spends: false }),
  proposal: () => ({ why: "A proposal that uses it is waiting for approval.", spends: true }),
  made: createdByAnother,
  made_suite: createdByAnother,
  made_journey: createdByAnother,
  ran: (_, what) => ({ why: `${what} was run by someone else.`, spends: false }),
  launched: (_, what) => ({ why: `${what} was launched by someone else.`, spends: false }),
  named: ({ id, name, detail: noun }) => ({
    why: `Another ${noun} is called “${plainName(name ?? "")}” already (${id}): whoever selects it by this name would find two.`,
    spends: false,
  }),
  shared: (_, what) => ({ why: `${what} is shared with the project.`, spends: false }),
};

function everyText(minutes: number): string {
  const units = [
    ["week", 7 * 24 * 60],
    ["day", 24 * 60],
    ["hour", 60],
    ["minute", 1],
  ] as const;
  const [unit, length] = units.find(([, size]) => minutes % size === 0) ?? ["minute", 1];
  const count = minutes / length;
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}
