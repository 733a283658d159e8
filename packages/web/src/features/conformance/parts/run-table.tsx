/** @module Conformance runs, newest first. */
import type { ConformanceRun, ProjectServer } from "@fettle/contract/servers";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { originOf, subjectOf, suiteNames } from "../run-words.ts";
import { RunState } from "./run-state.tsx";

export interface RunTableProps {
  runs: readonly ConformanceRun[];
  servers: readonly ProjectServer[] | undefined;
  more: boolean;
}

export function RunTable({ runs, servers, more }: RunTableProps) {
  return (
    <DataTable
      caption="Conformance runs"
      columns={columnsOf(servers)}
      items={runs}
      keyOf={(run) => run.id}
      more={more}
      noun={["run", "runs"]}
    />
  );
}

function columnsOf(servers: RunTableProps["servers"]): Column<ConformanceRun>[] {
  return [
    {
      id: "subject",
      header: "Server",
      cell: (run) => (
        <RowLink
          page="conformance-run"
          params={{ pid: run.projectId, rid: run.id }}
          note={run.requestedSuites.map((kind) => suiteNames[kind]).join(", ")}
        >
          <span className="line-clamp-1 max-w-72 break-all">
            <VisibleText text={subjectOf(run, servers)} />
          </span>
        </RowLink>
      ),
    },
    { id: "state", header: "Result", cell: (run) => <RunState run={run} /> },
    {
      id: "score",
      header: "Score",
      align: "end",
      cell: ({ score }) =>
        score === null ? (
          <Unknown reason="Not scored: nothing applied, or it has not ended." />
        ) : (
          <span className="font-medium tabular-nums">{score}</span>
        ),
    },
    {
      id: "counts",
      header: "Checks",
      wideOnly: true,
      cell: ({ outcome, passed, applicable, failed, couldNotRun }) =>
        outcome === null ? (
          <Unknown reason="It has not ended." />
        ) : (
          <span className="grid text-sm text-soft tabular-nums">
            <span>
              {passed} of {applicable} passed
            </span>
            <span className="text-faint">
              {failed} failed, {couldNotRun} could not run
            </span>
          </span>
        ),
    },
    {
      id: "origin",
      header: "Made",
      wideOnly: true,
      align: "end",
      cell: (run) => (
        <span className="grid justify-items-end text-soft">
          <Time at={run.createdAt} />
          <span className="text-faint text-sm">{originOf(run)}</span>
        </span>
      ),
    },
  ];
}
