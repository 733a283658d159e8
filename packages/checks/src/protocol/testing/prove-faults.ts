/** @module The proof that each check notices its fault and no other does: one whole run for each mutation. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isKnownAddress } from "../../verdict/testing/known-pages.ts";
import { runProtocol } from "../run-protocol.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import type { Mutation, Revision } from "./mutation.ts";
import { mutations, unharmedAdvice } from "./mutations.ts";

/** Runs beside each other change the sample's lists under each other's eyes. */
const disturbed = ["modern-subscription-list-changed-delivery", "lists-stable"];

/** Each fault that lets a check fail or advise that none before it did, in whichever revision; the long run takes them all. */
export function coveringFaults(): readonly Mutation[] {
  const seen = new Set<string>();
  return mutations.filter(({ fails = [], advises = [] }) => {
    const before = seen.size;
    for (const id of fails) seen.add(`fails ${id}`);
    for (const id of advises) seen.add(`advises ${id}`);
    return seen.size > before;
  });
}

export function proveFaults(protocolVersion: Revision, faults: readonly Mutation[]): void {
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

  const these = faults.filter(({ revision }) => revision === protocolVersion);
  describe.concurrent(`a server of ${protocolVersion} with one fault`, () => {
    test.each(these.map((mutation) => [mutation.name, mutation] as const))(
      "%s",
      async (_, { fails = [], advises = [], silences = [], alone, accessToken, ...fault }) => {
        const own = alone && (await startEverything());
        const proxy = await startFaultyProxy((own || everything).url, fault);
        try {
          const report = await runProtocol(
            parseTarget({ url: proxy.url, ...(accessToken && { accessToken }) }),
            {
              protocolVersion,
              checkTimeoutMs: 30_000,
            },
          );
          const failed = report.checks.filter(
            ({ id, status }) => status === "failed" && (!disturbed.includes(id) || fails.includes(id)),
          );
          const advised = report.checks.filter(
            ({ id, warnings }) => warnings !== undefined && (!disturbed.includes(id) || advises.includes(id)),
          );
          const addresses = report.checks.flatMap(({ rule, warnings = [] }) =>
            [rule, ...warnings].flatMap((said) => said?.url ?? []),
          );
          expect(addresses.filter((url) => !isKnownAddress(url))).toEqual([]);
          expect({
            fails: failed.map(({ id }) => id).toSorted(),
            advises: advised.map(({ id }) => id).toSorted(),
          }).toEqual({
            fails: fails.toSorted(),
            advises: [
              ...unharmedAdvice[protocolVersion].filter((id) => !silences.includes(id)),
              ...advises,
            ].toSorted(),
          });
          const isDisturbed =
            failed.length < report.checks.filter(({ status }) => status === "failed").length;
          const unseen = report.checks.filter(({ skipReason }) => skipReason === "could-not-run");
          const why = unseen.map(({ id, error }) => `${id}: ${error?.message}`).join("\n");
          if (!isDisturbed) expect(report.outcome, why).toBe(fails.length > 0 ? "failed" : "passed");
        } finally {
          await proxy.close();
          if (own) await own.close();
        }
      },
    );
  });
}
