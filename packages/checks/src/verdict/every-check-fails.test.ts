/** @module No check of any suite without the fault that it notices: a check that cannot fail proves nothing. That each fault is noticed as said here, its suite's own tests show. */
import { describe, expect, test } from "vitest";
import { appsChecks } from "../apps/run-apps.ts";
import { appsMutations } from "../apps/testing/apps-mutations.ts";
import { oauthChecks } from "../oauth/registry.ts";
import { brokenRows } from "../oauth/testing/broken-rows.ts";
import { protocolChecks } from "../protocol/registry.ts";
import { mutations, unharmedAdvice } from "../protocol/testing/mutations.ts";
import { tasksChecks } from "../tasks/run-tasks.ts";
import { extensionMutations } from "../tasks/testing/extension-mutations.ts";
import { legacyMutations } from "../tasks/testing/legacy-mutations.ts";
import { decides, type Rule } from "./rule.ts";

interface Fault {
  fails?: readonly string[];
  advises?: readonly string[];
}

interface Suite {
  checks: readonly { id: string; rules: readonly Rule[] }[];
  faults: readonly Fault[];
}

const suites: Record<string, Suite> = {
  protocol: {
    checks: protocolChecks,
    faults: [
      ...mutations,
      { advises: Object.values(unharmedAdvice).flat() },
      // Faults of a process, which no proxy can bring in: stdio-silence.test.ts and run-protocol.test.ts show them.
      { fails: ["notification-unanswered", "stdio-clean-stdout", "stdio-shutdown"] },
    ],
  },
  apps: { checks: appsChecks, faults: appsMutations },
  tasks: { checks: tasksChecks, faults: [...extensionMutations, ...legacyMutations] },
  oauth: {
    checks: oauthChecks,
    faults: brokenRows.map(({ failed, advised = [] }) => ({ fails: failed, advises: advised })),
  },
};

/** They judge our own requests, so no fault of a server can trip them. */
const ownChecks = ["tasks-declaration-hygiene"];

describe.each(Object.entries(suites))("%s", (_name, { checks, faults }) => {
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
