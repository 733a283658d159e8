/** @module What a suite's report and a whole run count for, by the report's own profile stamp. What a reporter says of the score is not asked. */

import { countOf, pooledConformanceScore, scoreOf } from "@fettle/checks";
import type { ConformanceSuite, ConformanceSuiteReport } from "@fettle/contract/servers";
import type { Tally } from "../../core/tables/conformance.ts";

const mostNamed = 20;

/** Without a stamp every check counts, whatever the cases say of themselves. */
export function tallyOf(report: ConformanceSuiteReport): Tally {
  const pendingIds = new Set(report.profile?.pendingCheckIds);
  const cases = report.groups
    .flatMap((group) => group.cases)
    .map(({ id, status, skipReason }) => ({
      id,
      status,
      ...(skipReason && { skipReason }),
      pending: pendingIds.has(id),
    }));
  const counts = countOf(cases);
  // A suite that had nothing to judge, such as OAuth on a server without, has proven that; it is not an unmet obligation.
  if (cases.length === 0 && report.outcome === "not-applicable") counts.notApplicable = 1;
  const advisories = (report.advisories ?? []).map(({ id, tier }) => ({ id, ...(tier && { tier }) }));
  const protocolVersion = report.profile?.protocolVersion ?? report.score?.protocolVersion;
  return {
    ...scoreOf(counts, advisories, {
      ...(protocolVersion !== undefined && { protocolVersion }),
      hasOutage: report.groups.some((group) => group.cases.some(({ isOutage }) => isOutage === true)),
    }),
    couldNotRunIds: cases
      .filter(
        ({ status, skipReason, pending }) =>
          status === "skipped" && skipReason !== "not-applicable" && !pending,
      )
      .map(({ id }) => id)
      .slice(0, mostNamed),
  };
}

/** All suites together; one that was asked for and brought no report counts as one check that could not run. */
export function tallyRun(
  requested: readonly ConformanceSuite[],
  reports: readonly { suiteKind: ConformanceSuite; tally: Tally }[],
): Tally {
  const tallies = requested.map(
    (kind) => reports.find(({ suiteKind }) => suiteKind === kind)?.tally ?? missing,
  );
  return {
    ...pooledConformanceScore(tallies),
    couldNotRunIds: tallies.flatMap(({ couldNotRunIds }) => couldNotRunIds).slice(0, mostNamed),
  };
}

const missing: Tally = {
  ...scoreOf({ passed: 0, failed: 0, couldNotRun: 1, notApplicable: 0, pending: 0 }, []),
  couldNotRunIds: [],
};
