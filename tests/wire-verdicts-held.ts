/** @module The demands on what the commands say of hostile servers, for the everyday run and the long one. */
import { suiteReportOf } from "@fettle/checks";
import { HOSTILE_SERVERS } from "@fettle/samples";
import { describe, expect, test } from "vitest";
import { disagreementsOf, wrongMarksIn } from "../packages/checks/src/verdict/testing/evidence-agrees.ts";
import { suiteText } from "../packages/cli/src/conformance/suite-text.ts";
import { render } from "../packages/cli/src/output/text.ts";
import { contradictionsIn, disagreementsIn, lookOverAll, type RowOfVerdicts } from "./wire-verdicts.ts";

export const namesOver = (transport: "http" | "stdio") =>
  HOSTILE_SERVERS.filter(({ transports }) => transports.includes(transport)).map(({ name }) => name);

/** What the doctor notices of each fault of the wire, by the check that tells it too. */
const noticed: Record<string, string[]> = {
  "answers-notifications": ["error-id-echo"],
  "answers-on-stderr": ["answers-on-stdout"],
  "asks-while-listing": ["client-capabilities-respected"],
  "batch-answers": ["messages-not-batched"],
  "byte-order-mark": ["messages-without-byte-order-mark"],
  "counted-sessions": ["session-ids-unpredictable"],
  "drops-kept-sockets": [],
  "duplicate-answers": ["answers-once"],
  "event-not-ended": ["readiness-events-ended"],
  "gzip-unlabeled": ["body-encoding-labeled"],
  "hostile-urls": ["readiness-icon-addresses"],
  "image-without-type": [],
  "json-as-events": ["event-stream-labeled"],
  "list-changed-undeclared": ["notifications-declared"],
  "log-undeclared": ["logging-declared"],
  "long-content-length": ["content-length-right"],
  "moved-on-same-origin": [],
  "moved-to-other-origin": ["readiness-redirect-origin"],
  "no-newline": ["stdio-clean-stdout"],
  "noisy-stdout": ["stdio-clean-stdout"],
  "not-utf8": ["messages-utf8"],
  "no-content": [],
  "notification-storm": ["readiness-notification-rate"],
  "notification-with-id": ["notifications-without-id"],
  "odd-names": ["tools-name-format"],
  "old-schemas": ["tools-input-schemas-valid"],
  "pointer-without-address": ["oauth_resource_metadata_challenge"],
  "twice-named": ["tools-names-unique"],
  "progress-after-answer": ["progress-stops"],
  "progress-falls": ["progress-rises"],
  "progress-unasked": ["progress-token-known"],
  "reply-events": ["readiness-sse-event-type"],
  "resources-not-served": ["capabilities-consistent"],
  "result-on-400": ["readiness-result-status"],
  "shared-session": ["session-ids-unpredictable"],
  "stateless-request": ["modern-no-independent-requests-on-stream"],
  "system-role": ["wire-schema-valid"],
  "stray-answer-first": ["error-id-echo"],
  "text-ids": ["error-id-echo"],
  "unknown-result-type": ["result-type-known"],
};

/** Declares the tests of one transport. */
export function holdVerdicts(transport: "http" | "stdio", chosen: readonly string[]): void {
  describe(`over ${transport}`, () => {
    let rows: RowOfVerdicts[] = [];

    test("every command ends in time, and well or with a failure that it names", {
      timeout: 20_000 * chosen.length,
    }, async () => {
      rows = await lookOverAll(transport, chosen, { timeoutMs: 3_000, atOnce: 4, noticed });
      expect(rows.flatMap(({ name, late }) => late.map((command) => `${name}: ${command}`))).toEqual([]);
      expect(rows.flatMap(({ name, crashes }) => crashes.map((crash) => `${name}: ${crash}`))).toEqual([]);
    });

    test("no command contradicts another", () => {
      const said = rows.flatMap((row) => contradictionsIn(row).map((words) => `${row.name}: ${words}`));
      expect([rows.length, said]).toEqual([chosen.length, []]);
    });

    test("a fault has one sentence and one severity in every command", () => {
      const said = rows.flatMap((row) => disagreementsIn(row).map((words) => `${row.name}: ${words}`));
      expect([rows.length, said]).toEqual([chosen.length, []]);
    });

    test("what stands beside a mark agrees with it, in the report and on the screen", () => {
      const said = rows.flatMap(({ name, conformance }) => {
        if ("cause" in conformance) return [];
        const suite = suiteReportOf("protocol", name, [{ label: "Protocol", report: conformance }]);
        const screen = render(suiteText(suite, { width: 400 }, { verbose: true }), { colour: false });
        return [...disagreementsOf(conformance.checks), ...wrongMarksIn(screen, conformance.checks)].map(
          (words) => `${name}: ${words}`,
        );
      });
      expect([rows.length, said]).toEqual([chosen.length, []]);
    });

    test("each fault of the wire is noticed by its rule", () => {
      const seen = rows.filter(({ name }) => name in noticed).map(({ name, told }) => [name, told]);
      const expected = Object.entries(noticed).filter(([name]) => chosen.includes(name));
      expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
    });
  });
}
