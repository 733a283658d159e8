/** @module No check of any suite without the fault that it notices: a check that cannot fail proves nothing. That each fault is noticed as said here, its suite's own tests show. */
import { conformanceSuites } from "@fettle/contract/servers";
import { describe, expect, test } from "vitest";
import { appsMutations } from "../apps/testing/apps-mutations.ts";
import { brokenRows } from "../oauth/testing/broken-rows.ts";
import { mutations, unharmedAdvice } from "../protocol/testing/mutations.ts";
import { suites } from "../suites.ts";
import { extensionMutations } from "../tasks/testing/extension-mutations.ts";
import { legacyMutations } from "../tasks/testing/legacy-mutations.ts";
import { decides, type Rule } from "./rule.ts";
import type { SuiteKind } from "./suite-report.ts";

interface Fault {
  fails?: readonly string[];
  advises?: readonly string[];
}

const faultsOf: Record<SuiteKind, readonly Fault[]> = {
  protocol: [
    ...mutations,
    { advises: Object.values(unharmedAdvice).flat() },
    // Faults of bytes and of several sessions, which a proxy of messages cannot bring in: tests/wire-faults.test.ts shows them.
    {
      fails: [
        "answers-on-stdout",
        "body-encoding-labeled",
        "content-length-right",
        "event-stream-labeled",
        "session-ids-unpredictable",
      ],
    },
    // Faults of a process, which no proxy can bring in: stdio/silence.test.ts and run-protocol.test.ts show them.
    { fails: ["cancelled-silent", "notification-unanswered", "stdio-clean-stdout", "stdio-shutdown"] },
  ],
  apps: appsMutations,
  tasks: [...extensionMutations, ...legacyMutations],
  oauth: brokenRows.map(({ failed, advised = [] }) => ({ fails: failed, advises: advised })),
};

/** They judge our own requests, so no fault of a server can trip them. */
const ownChecks = ["tasks-declaration-hygiene"];

describe.each(conformanceSuites)("%s", (kind) => {
  const faults = faultsOf[kind];
  const checks: readonly { id: string; rules: readonly Rule[] }[] = suites[kind].checks;
  const failing = new Set(faults.flatMap(({ fails = [] }) => fails));
  const advising = new Set(faults.flatMap(({ advises = [] }) => advises));
  const judged = checks.filter(({ id }) => !ownChecks.includes(id));
  /** By the text alone: a contract binds only those who say that they keep it, and rules.test.ts shows that it then does. */
  const mayFail = ({ rules }: { rules: readonly Rule[] }) =>
    rules.some(({ word, revision }) => decides(word, { version: revision }));

  test("every check that goes by a MUST is made to fail by some fault", () => {
    const never = judged.filter((check) => mayFail(check) && !failing.has(check.id));
    expect(never.map(({ id }) => id)).toEqual([]);
  });

  test("every other check is made to advise", () => {
    const never = judged.filter(
      (check) => !mayFail(check) && !advising.has(check.id) && !failing.has(check.id),
    );
    expect(never.map(({ id }) => id)).toEqual([]);
  });
});
