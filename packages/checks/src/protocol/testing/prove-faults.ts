/** @module The proof that each check notices its faults: whole runs against a server that they were brought into. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { disagreementsOf } from "../../verdict/testing/evidence-agrees.ts";
import { isKnownAddress } from "../../verdict/testing/known-pages.ts";
import { runProtocol } from "../run-protocol.ts";
import { atOnce } from "./faults-at-once.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import type { Mutation, Revision } from "./mutation.ts";
import { mutationGroups, mutations, unharmedAdvice } from "./mutations.ts";

/** Runs beside each other change the sample's lists under each other's eyes. */
const disturbed = ["modern-subscription-list-changed-delivery", "lists-stable"];

/** What one run meets. */
interface Trial {
  name: string;
  revision: Revision;
  faults: readonly Mutation[];
}

const own = (fault: Mutation): Trial => ({ name: fault.name, revision: fault.revision, faults: [fault] });

/** Each fault in a run of its own: none but its own checks notice it. */
export const oneByOne: readonly Trial[] = mutations.map(own);

/** Those of a group that leave one another alone in one run: every check notices its faults, in a third of the runs. */
export const together: readonly Trial[] = Object.entries(mutationGroups).flatMap(([group, all]) => {
  const shared = all.filter((fault) => !fault.apart && !fault.alone);
  const byRevision = Map.groupBy(shared, ({ revision }) => revision);
  return [
    ...[...byRevision].map(([revision, faults]) => ({ name: `${group}, all at once`, revision, faults })),
    ...all.filter((fault) => !shared.includes(fault)).map(own),
  ];
});

export function proveFaults(protocolVersion: Revision, trials: readonly Trial[]): void {
  let everything: RunningSample;
  beforeAll(async () => {
    everything = await startEverything();
  });
  afterAll(() => everything.close());

  test("the sample without a fault is advised of what its library does, and of nothing else", async () => {
    const { checks } = await runProtocol(parseTarget({ url: everything.url }), { protocolVersion });
    const advised = checks.filter(({ warnings }) => warnings !== undefined);
    expect(advised.map(({ id }) => id)).toEqual(unharmedAdvice[protocolVersion]);
  });

  const these = trials.filter(({ revision }) => revision === protocolVersion);
  describe.concurrent(`a server of ${protocolVersion} with faults`, () => {
    test.each(these.map(({ name, faults }) => [name, faults] as const))("%s", async (_, faults) => {
      const own = faults.some(({ alone }) => alone) && (await startEverything());
      const proxy = await startFaultyProxy((own || everything).url, atOnce(faults));
      const accessToken = faults.find((fault) => fault.accessToken)?.accessToken;
      try {
        const report = await runProtocol(
          parseTarget({ url: proxy.url, ...(accessToken && { accessToken }) }),
          {
            protocolVersion,
            // No fault is one of silence: the limit is there for a machine that is busy with five such runs and more.
            checkTimeoutMs: 120_000,
          },
        );
        const expected = expectedOf(protocolVersion, faults);
        const failed = report.checks.filter(
          ({ id, status }) => status === "failed" && (!disturbed.includes(id) || expected.fails.includes(id)),
        );
        const advised = report.checks.filter(
          ({ id, warnings }) =>
            warnings !== undefined && (!disturbed.includes(id) || expected.advises.includes(id)),
        );
        expect(disagreementsOf(report.checks)).toEqual([]);
        const addresses = report.checks.flatMap(({ rule, warnings = [] }) =>
          [rule, ...warnings].flatMap((said) => said?.url ?? []),
        );
        expect(addresses.filter((url) => !isKnownAddress(url))).toEqual([]);
        expect({
          fails: failed.map(({ id }) => id).toSorted(),
          advises: advised.map(({ id }) => id).toSorted(),
        }).toEqual(expected);
        const isDisturbed = failed.length < report.checks.filter(({ status }) => status === "failed").length;
        const unseen = report.checks.filter(({ skipReason }) => skipReason === "could-not-run");
        const why = unseen.map(({ id, error }) => `${id}: ${error?.message}`).join("\n");
        if (!isDisturbed) expect(report.outcome, why).toBe(expected.fails.length > 0 ? "failed" : "passed");
      } finally {
        await proxy.close();
        if (own) await own.close();
      }
    });
  });
}

/** What all of them together bring about. */
function expectedOf(revision: Revision, faults: readonly Mutation[]) {
  const silenced = faults.flatMap(({ silences = [] }) => silences);
  const usual = unharmedAdvice[revision].filter((id) => !silenced.includes(id));
  const sorted = (ids: readonly string[]) => [...new Set(ids)].toSorted();
  return {
    fails: sorted(faults.flatMap(({ fails = [] }) => fails)),
    advises: sorted([...usual, ...faults.flatMap(({ advises = [] }) => advises)]),
  };
}
