/** @module Mines a few conversations with the bookshop, for tests that ask about one thing. */
import * as checker from "@cfworker/json-schema";
import { schemaJudge } from "@fettle/contract/servers";
import { factsReader, type ReadingOptions } from "../facts/read-unit.ts";
import type { UnitFacts } from "../facts/unit-facts.ts";
import { type Mined, type MiningSetting, mine } from "../mine.ts";
import type { Unit } from "../observed/unit.ts";
import { snapshot } from "./bookshop.ts";
import type { Plant } from "./plant.ts";

export const judge = schemaJudge(checker);

type Over = Partial<MiningSetting & ReadingOptions & { total: number }>;

export function minedOf(scope: Plant["scope"], units: readonly Unit[], over: Over = {}): Mined {
  const snapshots = over.snapshots ?? [snapshot];
  return minedFacts(scope, units.map(factsReader({ judge, ...over, snapshots })), over);
}

export function minedFacts(scope: Plant["scope"], facts: readonly UnitFacts[], over: Over = {}): Mined {
  const { snapshots = [snapshot], earlierSnapshots, total } = over;
  const family = { kind: "family", id: "fam", label: "The shop" };
  return mine({ scope: { kind: scope, id: "it" }, family, snapshots, earlierSnapshots, total, facts });
}

export const findingsOf = (detector: string, { findings }: Pick<Mined, "findings">) =>
  findings.filter(({ signalFingerprint }) => signalFingerprint.startsWith(`${detector}:`));
