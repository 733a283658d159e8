/** @module The runs of a suite, newest first. */
import type { EvalRun } from "@fettle/contract/evals";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { percent, took } from "../../../lib/amounts.ts";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { costWords, isOpen, originWords } from "../run-words.ts";
import { RunChip } from "./run-chip.tsx";

export function RunTable({ runs, more = false }: { runs: readonly EvalRun[]; more?: boolean }) {
  return (
    <DataTable<EvalRun>
      caption="Runs"
      columns={[
        {
          id: "run",
          header: "Run",
          cell: (run) => (
            <RowLink
              page="eval-run"
              params={{ pid: run.projectId, erid: run.id }}
              note={run.notes ?? run.target.name}
              chip={
                <>
                  {run.gateWaiver && <Chip tone="warn">Waived</Chip>}
                  {run.isPartial && (
                    <Chip plain title="Only some of the suite's cases were run; it is not in the trend.">
                      Some cases
                    </Chip>
                  )}
                </>
              }
            >
              Run {run.runNumber}
            </RowLink>
          ),
        },
        { id: "state", header: "Result", cell: (run) => <RunChip run={run} /> },
        {
          id: "rate",
          header: "Passed",
          align: "end",
          cell: (run) => <Rate run={run} />,
        },
        {
          id: "model",
          header: "Model",
          wideOnly: true,
          cell: ({ effectiveModelId }) => (
            <code className="break-all text-code text-soft">{effectiveModelId ?? "several"}</code>
          ),
        },
        {
          id: "cost",
          header: "Cost",
          wideOnly: true,
          align: "end",
          cell: (run) => (
            <span className="grid justify-items-end text-soft tabular-nums">
              <span>{costWords(run) ?? <Unknown reason="A price or a count is not known." />}</span>
              {run.durationMs !== null && <span className="text-faint text-sm">{took(run.durationMs)}</span>}
            </span>
          ),
        },
        {
          id: "when",
          header: "When",
          wideOnly: true,
          align: "end",
          cell: (run) => (
            <span className="grid justify-items-end text-soft">
              <Time at={run.createdAt} />
              <span className="text-faint text-sm">by {originWords(run)}</span>
            </span>
          ),
        },
      ]}
      items={runs}
      keyOf={({ id }) => id}
      more={more}
      noun={["run", "runs"]}
    />
  );
}

function Rate({ run }: { run: EvalRun }) {
  const { summary, progress } = run;
  if (isOpen(run)) {
    return (
      <span className="text-soft tabular-nums">
        {progress.settled} of {progress.total} done
      </span>
    );
  }
  if (summary?.passRate == null) return <Unknown reason="No repetition came to a result." />;
  return (
    <span className="grid justify-items-end tabular-nums">
      <span className="font-medium">{percent(summary.passRate)}</span>
      <span className="text-faint text-sm">
        {summary.passed} of {summary.total}
        {summary.excluded > 0 && `, ${summary.excluded} lost`}
      </span>
    </span>
  );
}
