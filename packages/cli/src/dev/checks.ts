/** @module The protocol suite on a server under work: behind each report and never before it, and given up when the next change comes. */
import { type SuiteReport, suiteReportOfRun, suites, turnedChecks } from "@fettle/checks";
import { limits } from "@fettle/contract/core";
import { isMcpError } from "@fettle/mcp";
import { reachOf } from "../conformance/suite-reach.ts";
import type { ProtocolVersion } from "../connection/flags.ts";
import { type Plan, recorderFor } from "../connection/open-server.ts";
import type { Outcome } from "../output/printer.ts";
import { lines, style, type Text, text } from "../output/text.ts";

export interface Checks {
  /** Anew, on the server as it is now; nothing is called that has an effect. */
  begin(number: number): void;
  /** What is under way is about a server that is no more. */
  giveUp(): void;
}

interface Options {
  protocolVersion: ProtocolVersion | undefined;
  stop: AbortSignal;
  now(): number;
  tell(outcome: Outcome): void;
  warn(message: Text): void;
}

export function createChecks(plan: Plan, { protocolVersion, stop, now, tell, warn }: Options): Checks {
  let under: AbortController | undefined;
  let before: SuiteReport | undefined;

  async function check(number: number, given: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([given, stop, AbortSignal.timeout(limits.conformance.hostedRunMs)]);
    try {
      const reach = reachOf(plan, recorderFor(plan.target), { protocolVersion });
      const run = await suites.protocol.run(reach, { protocolVersion, signal });
      // What was cut off says nothing about the server.
      if (signal.aborted) return;
      const after = suiteReportOfRun("protocol", run);
      tell(checkedOf({ number, at: new Date(now()).toISOString(), before, after }));
      before = after;
    } catch (error) {
      // A server that went away is told by the next look; whatever else hinders the suite must not end the work.
      if (signal.aborted || isMcpError(error)) return;
      warn(text`The protocol suite could not run: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    begin(number) {
      under?.abort();
      under = new AbortController();
      void check(number, under.signal);
    },
    giveUp: () => under?.abort(),
  };
}

interface Checked {
  /** Of the report that it stands behind. */
  number: number;
  at: string;
  before: SuiteReport | undefined;
  after: SuiteReport;
}

function checkedOf({ number, at, before, after }: Checked): Outcome {
  const { passed = 0, applicable = 0, failed = 0 } = after.score ?? {};
  const turned = before ? turnedChecks(before, after).turned : [];
  const failing = after.groups.flatMap(({ cases }) => cases.filter(({ status }) => status === "failed"));
  const mark = failed === 0 ? style.green("✓") : style.red("✗");
  return {
    value: {
      event: "checked",
      number,
      at,
      suite: "protocol",
      outcome: after.outcome,
      passed,
      applicable,
      failed,
      failing: failing.map(({ id, title }) => ({ id, title })),
      turned,
    },
    human: () =>
      lines([
        text`  ${mark} protocol: ${passed} of ${applicable} checks passed${before && turned.length === 0 ? ", as before" : ""}`,
        ...(before
          ? turned.map(turnedText)
          : failing.map(({ id, title }) => text`    ${style.red("✗")} ${id} ${style.dim(title)}`)),
      ]),
  };
}

const signs = { worse: style.red("✗"), better: style.green("✓"), other: style.dim("·") } as const;

function turnedText({ id, title, from, to, turn }: ReturnType<typeof turnedChecks>["turned"][number]): Text {
  return text`    ${signs[turn]} ${id}: ${from ?? "not there"} → ${to ?? "not there"} ${style.dim(title)}`;
}
