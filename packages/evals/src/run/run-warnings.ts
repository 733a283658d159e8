/** @module What a reader of a run must know beside its verdict, once each. Pure. */
import type { Trace } from "../agent/trace.ts";
import type { Model } from "../models/model.ts";
import { type SuiteCase, toolsAskedAbout } from "../suite/suite-file.ts";
import { counted } from "../told.ts";
import type { RecordedCase } from "./suite-record.ts";

export function warningsOf(
  planned: readonly { model: Model }[],
  cases: readonly RecordedCase[],
  selected: readonly SuiteCase[],
): string[] {
  const traces = cases.flatMap(({ iterations }) => iterations.flatMap(({ trace }) => trace ?? []));
  const notices = planned.flatMap(({ model }) => model.notice ?? []);
  return [
    ...new Set([
      ...notices,
      ...traces.flatMap(({ warnings }) => warnings),
      ...unknownTools(selected, traces),
      ...oddities(cases),
      ...passAnyway(cases),
    ]),
  ];
}

/** An assertion about a tool that no server has can only fail, or only pass. */
function unknownTools(selected: readonly SuiteCase[], [trace]: readonly Trace[]): string[] {
  if (!trace) return [];
  const known = new Set(trace.tools.map(({ name }) => name));
  return selected.flatMap((item) =>
    toolsAskedAbout(item)
      .filter((name) => !known.has(name))
      .map((name) => `${item.id} asks about the tool "${name}", which no server has.`),
  );
}

/** Once for each case: a pass with a refusal in it, or by another way than recorded, is worth a look too. */
function oddities(cases: readonly RecordedCase[]): string[] {
  return cases.flatMap(({ item, iterations }) => {
    const words = iterations.flatMap(({ oddity, cassette }) =>
      // What a stale recording was played for is told of the whole run.
      [oddity, cassette?.staleAccepted ? undefined : cassette?.divergence].filter((one) => one !== undefined),
    );
    return [...new Set(words)].map((one) => {
      const count = words.filter((other) => other === one).length;
      return `${item.id}, ${count} of ${counted(iterations.length, "repetition")}: ${one}`;
    });
  });
}

/** Green that says nothing must not look like green that does. */
function passAnyway(cases: readonly RecordedCase[]): string[] {
  return cases.flatMap(({ item, facts, summary }) =>
    facts.passThreshold === 0 && summary.passed === 0 && summary.failed > 0
      ? [`${item.id} passes although every repetition failed: its passThreshold is 0.`]
      : [],
  );
}
