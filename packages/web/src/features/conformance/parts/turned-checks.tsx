/** @module What is different from the run before: the checks that turned, those that got worse first. */
import type { ConformanceCheckState, ConformanceComparison, ConformanceRun } from "@fettle/contract/servers";
import { MoveRight } from "lucide-react";
import { useOperation } from "../../../api/operation.ts";
import { Loaded } from "../../../kit/loaded.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { suiteNames } from "../run-words.ts";

const stateWords: Record<ConformanceCheckState, string> = {
  failed: "failed",
  "could-not-run": "could not run",
  passed: "passed",
  "not-applicable": "not applicable",
};
const tones: Record<ConformanceComparison["turned"][number]["turn"], Tone> = {
  worse: "bad",
  better: "good",
  other: "neutral",
};

/** Of a run that has ended. */
export function TurnedChecks({ run: { projectId, id } }: { run: ConformanceRun }) {
  const query = useOperation("compareConformanceRuns", { projectId, runId: id, query: {} });
  return (
    <Loaded query={query} what="the comparison">
      {(comparison) => <Turned projectId={projectId} comparison={comparison} />}
    </Loaded>
  );
}

function Turned({ projectId, comparison }: { projectId: string; comparison: ConformanceComparison }) {
  const { earlier, turned, same, score } = comparison;
  if (!earlier)
    return (
      <p className="text-soft text-sm">
        This is the first run of this server, so there is nothing to compare it with.
      </p>
    );
  const points = score !== null && earlier.score !== null ? score - earlier.score : 0;
  return (
    <Panel
      title="Since the last run"
      about={
        <>
          Compared with{" "}
          <PageLink
            page="conformance-run"
            params={{ pid: projectId, rid: earlier.runId }}
            className="underline underline-offset-2"
          >
            the run of <Time at={earlier.createdAt} />
          </PageLink>
          {points !== 0 && `, ${points > 0 ? "+" : "−"}${Math.abs(points)} points`}
        </>
      }
    >
      <div data-testid="turned" data-turned={turned.length} className="stack gap-2">
        <p className="text-soft text-sm">
          {turned.length === 0
            ? `Nothing turned: all ${same} checks came out as before.`
            : `${turned.length} turned, ${same} came out as before.`}
        </p>
        {turned.length > 0 && (
          <ul aria-label="Checks that turned" className="grid gap-1.5">
            {turned.map(({ suiteKind, id, title, from, to, turn }) => (
              <li
                key={`${suiteKind} ${id}`}
                data-check={id}
                data-turn={turn}
                className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm"
              >
                <Chip tone={tones[turn]}>
                  {from ? stateWords[from] : "not there"}
                  <MoveRight aria-label="now" className="mx-1 inline size-3" />
                  {to ? stateWords[to] : "not there"}
                </Chip>
                <span className="min-w-0 break-words">
                  <VisibleText text={title} />
                </span>
                <span className="text-faint">{suiteNames[suiteKind]}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
