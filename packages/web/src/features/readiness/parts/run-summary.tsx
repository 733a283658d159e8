/** @module The three axes of a run, which never answer each other, and what each lane and stage came to. */
import type { ReadinessLaneGrade, ReadinessRun } from "@fettle/contract/servers";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import {
  gradeWords,
  isOpen,
  laneNames,
  modeNames,
  observationWords,
  publisherNames,
  stageNames,
  supplyOf,
} from "../run-words.ts";

export function RunSummary({ run }: { run: ReadinessRun }) {
  return (
    <>
      {isOpen(run) && (
        <Notice kind="info" role="status">
          {run.status === "pending" ? "Waiting for a worker." : "The server is being looked at."} You may
          leave this page; the run goes on.
        </Notice>
      )}
      {run.status === "failed" && (
        <Notice kind="bad" title="The run came to no grade">
          <p className="break-words">{run.errorMessage}</p>
        </Notice>
      )}
      <Panel>
        <Facts>
          <Fact name="Directory">
            {publisherNames[run.readinessKind]}
            {run.submissionMode && <span className="text-faint">, {modeNames[run.submissionMode]}</span>}
          </Fact>
          <Fact name="Address">
            <code className="break-all text-code">{run.serverUrl}</code>
          </Fact>
          <Fact name="Started">
            <Time at={run.createdAt} />
            {run.attemptCount > 1 && <span className="text-faint">, taken up {run.attemptCount} times</span>}
          </Fact>
          <Fact name="Id">
            <span className="flex items-center gap-1">
              <code className="break-all text-code">{run.id}</code>
              <CopyButton small text={run.id} label="Copy id" />
            </span>
          </Fact>
          <Fact name="Model">
            <span data-testid="readiness-model" data-status={run.llmObservations.status}>
              {observationWords(run.llmObservations)}
            </span>
          </Fact>
          <Fact name="Rules as of">{run.policySnapshotDate ?? <Unknown reason="There is no grade." />}</Fact>
        </Facts>
      </Panel>
      {run.lanes.length > 0 && <Lanes run={run} />}
    </>
  );
}

/** A lane that no stage needs is told without a grade: it would read like a fault. */
function Lanes({ run: { lanes, stages } }: { run: ReadinessRun }) {
  const needed = new Set(stages.flatMap((stage) => stage.lanes));
  return (
    <section aria-label="Lanes" className="stack gap-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <h2 className="font-semibold">Lanes</h2>
        {stages.map(({ stage, status }) => (
          <span key={stage} className="inline-flex items-center gap-2 text-sm" data-testid="stage">
            {stageNames[stage]} <Chip tone={gradeWords[status].tone}>{gradeWords[status].word}</Chip>
          </span>
        ))}
      </div>
      <DataTable<ReadinessLaneGrade>
        caption="Grades of the lanes"
        columns={[
          { id: "lane", header: "Lane", cell: ({ lane }) => laneNames[lane] },
          {
            id: "grade",
            header: "Grade",
            cell: ({ lane, status }) =>
              needed.has(lane) ? (
                <Chip tone={gradeWords[status].tone}>{gradeWords[status].word}</Chip>
              ) : (
                <span className="text-faint text-sm">Never decides</span>
              ),
          },
          {
            id: "coverage",
            header: "Rules",
            cell: ({ evaluated, notEvaluated, notApplicable }) => (
              <span className="grid text-sm text-soft tabular-nums">
                <span>
                  {evaluated} evaluated, {notEvaluated} open
                </span>
                {notApplicable > 0 && <span className="text-faint">{notApplicable} not applicable</span>}
              </span>
            ),
          },
          {
            id: "missing",
            header: "Missing",
            wideOnly: true,
            cell: ({ missingInputs }) => (
              <span className="text-soft text-sm">
                {missingInputs.map((input) => supplyOf(input).name).join(", ")}
              </span>
            ),
          },
        ]}
        items={lanes}
        keyOf={({ lane }) => lane}
        noun={["lane", "lanes"]}
      />
    </section>
  );
}
