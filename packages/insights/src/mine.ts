/**
 * @module Mines a scope: every conversation is seen once by every detector, in any order and a few at a time, and what
 * fires becomes findings. The same facts give the same answer, byte for byte. Pure.
 */
import type { ActionableFinding, InsightScope, InsightsEnvelope } from "@fettle/contract/insights";
import type { World } from "./detectors/detector.ts";
import { detectors } from "./detectors/registry.ts";
import { toolSubject } from "./detectors/sights.ts";
import type { UnitFacts } from "./facts/unit-facts.ts";
import { findingOf } from "./findings/finding-of.ts";
import type { Outcomes } from "./findings/promote.ts";
import { inOrder } from "./findings/severity.ts";
import { summaryOf } from "./findings/summary.ts";
import type { ServerSnapshot } from "./observed/snapshot.ts";
import { readSurface } from "./observed/surface.ts";
import type { Named } from "./observed/unit.ts";
import { detectedSignals } from "./signals/detected-signals.ts";
import { signalFingerprint } from "./signals/fingerprint.ts";
import { addUnit, type DetectorTally, sliceKey, subjectKey, tallyOf } from "./signals/tally.ts";

export interface MiningSetting {
  scope: InsightScope;
  /** What it belongs to over time: the suite, the project's swarms, the scenario. Not the run. */
  family: Named & { kind: string };
  /** Every one that a unit names. */
  snapshots: readonly ServerSnapshot[];
  /** What the scope before met, by server id; where there was one. */
  earlierSnapshots?: Readonly<Record<string, string>> | undefined;
}

/** A signal that fired; its findings are the remedies for it. */
export interface MinedSignal {
  fingerprint: string;
  detector: string;
  subject: Named & { kind: string };
  /** Units that showed it, of units that could have. */
  count: number;
  exercised: number;
  findingIds: string[];
}

export interface Mined {
  /** All of them, in order; the envelope cuts. */
  findings: ActionableFinding[];
  signals: MinedSignal[];
  coverage: InsightsEnvelope["coverage"];
  summary: string;
  omittedEvidence: number;
  isContractTruncated: boolean;
  /** More kinds of problems than are told apart; the rest was left out. */
  isOverflowing: boolean;
  /** For a signal of an earlier scope: how many units could have shown it now. Follow it with `count` 0 when it did not fire. */
  exercised(fingerprint: string): number;
}

export interface Mining {
  add(facts: UnitFacts): void;
  /** `total`: all units there are, also those that were not looked at. */
  finish(total?: number): Mined;
}

/** Less than this is too little to generalise from. */
const enough = { units: 5, share: 0.5 };

export function startMining(setting: MiningSetting): Mining {
  const { scope, family, snapshots, earlierSnapshots } = setting;
  const world: World = { kind: scope.kind, family, surface: readSurface(snapshots), earlierSnapshots };
  const tallies = detectors.filter(({ scopes }) => scopes.includes(scope.kind)).map(tallyOf);
  const seen = { all: 0, analyzed: 0, unreadable: 0, graded: 0, rated: 0, struck: 0 };

  return {
    add(facts) {
      seen.all += 1;
      // A recording that no longer fits says nothing about anything but itself.
      const isStale = facts.staleEntries > 0;
      for (const tally of tallies) {
        if (!isStale || tally.detector.id === "cassette_stale") addUnit(tally, facts, world);
      }
      if (isStale) return;
      seen.analyzed += 1;
      seen.unreadable += facts.isReadable ? 0 : 1;
      seen.graded += facts.verdict !== null || facts.judge !== null ? 1 : 0;
      seen.rated += facts.isNegative === null ? 0 : 1;
    },
    finish: (total = seen.all) => {
      const unit = scope.kind === "eval_run" ? "iterations" : "sessions";
      const { analyzed } = seen;
      const lowConfidence =
        analyzed < enough.units ||
        analyzed / Math.max(1, total) < enough.share ||
        2 * seen.unreadable > analyzed;
      const coverage: InsightsEnvelope["coverage"] = {
        unit,
        analyzed,
        total: Math.max(total, seen.all),
        gradedCount: seen.graded,
        feedbackCount: seen.rated,
        truncated: analyzed < total,
        lowConfidence,
      };
      const outcomes = outcomesOf(tallies);
      const fired = tallies.flatMap((tally) =>
        detectedSignals(tally, world).map((signal) => ({ tally, ...signal })),
      );
      const made = fired.map(({ remedies, ...signal }) => ({
        ...signal,
        scored: remedies.map((remedy) => findingOf(remedy, { world, outcomes, unit, lowConfidence })),
        omitted: remedies.reduce((sum, { shown, examples }) => sum + shown.count - examples.length, 0),
      }));
      const findings = inOrder(made.flatMap(({ scored }) => scored)).map(({ finding }) => finding);
      return {
        findings,
        signals: made
          .map(({ tally: { detector }, subject, count, exercised, scored }) => ({
            fingerprint: signalFingerprint(detector.id, subject),
            detector: detector.id,
            subject,
            count,
            exercised,
            findingIds: scored.map(({ finding }) => finding.id).sort(),
          }))
          .sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1)),
        coverage,
        summary: summaryOf(findings, coverage),
        omittedEvidence: made.reduce((sum, { omitted }) => sum + omitted, 0),
        isContractTruncated: findings.some(({ target }) => target?.currentDefinition?.truncated === true),
        isOverflowing: tallies.some(isOverflowing),
        exercised: (fingerprint) => exercisedOf(tallies, fingerprint),
      };
    },
  };
}

export interface MiningInput extends MiningSetting {
  facts: Iterable<UnitFacts>;
  total?: number | undefined;
}

/** All at once, where they are at hand. */
export function mine({ facts, total, ...setting }: MiningInput): Mined {
  const mining = startMining(setting);
  for (const unit of facts) mining.add(unit);
  return mining.finish(total);
}

const isOverflowing = ({ signals }: DetectorTally) =>
  signals.isOverflowing || signals.entries().some(([, { places }]) => places.isOverflowing);

/** How calls with the same arguments ended is what the detector of fickle tools counts. */
function outcomesOf(tallies: readonly DetectorTally[]): Outcomes {
  const fickle = tallies.find(({ detector }) => detector.id === "flaky_tool");
  return ({ serverId, toolName }, digest) => {
    if (serverId === null || toolName === null) return undefined;
    const signal = fickle?.signals.get(subjectKey(toolSubject(serverId, toolName)));
    const { ok = 0, failed = 0 } =
      signal?.places.get(JSON.stringify([{ serverId, toolName }, digest]))?.tally ?? {};
    return { ok, failed };
  };
}

function exercisedOf(tallies: readonly DetectorTally[], fingerprint: string): number {
  const [id, kind = "", ...rest] = fingerprint.split(":");
  const tally = tallies.find(({ detector }) => detector.id === id);
  return tally?.slices.get(sliceKey(tally, { kind, id: rest.join(":") }))?.units ?? 0;
}
