/** @module What the operator requires to be there. Where it is absent nothing was tested: no fault of the server and no score, yet every report says that the requirement is unmet. */
import type { SuiteCase, SuiteGroup, SuiteReport } from "./suite-report.ts";

/**
 * Marks the runs in which nothing was tested, all of them unless some are named by their place.
 *
 * @example
 * const report = requiring(suite, "--require-ui");
 * process.exitCode = unmetIn(report) === undefined ? 0 : 1;
 */
export function requiring(
  report: SuiteReport,
  flag: string,
  isRequired: (place: number) => boolean = () => true,
): SuiteReport {
  const groups = report.groups.map((group, place) =>
    isRequired(place) && isUntested(group)
      ? { ...group, unmet: `Nothing was tested, though ${flag} asks for it.${whyOf(group)}` }
      : group,
  );
  return { ...report, groups };
}

/** What is required and absent, in words. */
export function unmetIn({ groups }: Pick<SuiteReport, "groups">): string | undefined {
  return groups.find(({ unmet }) => unmet !== undefined)?.unmet;
}

/** For reports that know cases alone. */
export function casesWithRequirement({ unmet, cases }: SuiteGroup): SuiteCase[] {
  if (unmet === undefined) return [...cases];
  const title = "What is required is there";
  return [
    ...cases,
    {
      id: "required",
      title,
      category: "requirement",
      status: "failed",
      durationMs: 0,
      error: { message: unmet },
    },
  ];
}

function isUntested({ cases }: SuiteGroup): boolean {
  return cases.length > 0 && cases.every(({ skipReason }) => skipReason === "not-applicable");
}

/** The commonest reason; checks of parts may have words of their own. */
function whyOf({ cases }: SuiteGroup): string {
  const reasons = Object.entries(Object.groupBy(cases, ({ error }) => error?.message ?? ""));
  const [most] = reasons.toSorted(([, one = []], [, other = []]) => other.length - one.length);
  return most?.[0] ? ` ${most[0]}` : "";
}
