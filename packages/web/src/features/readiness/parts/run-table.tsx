/** @module Readiness runs, newest first. */
import type { ProjectServer, ReadinessRun } from "@fettle/contract/servers";
import { textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { modeNames, publisherNames, subjectOf } from "../run-words.ts";
import { RunState } from "./run-state.tsx";

export interface RunTableProps {
  runs: readonly ReadinessRun[];
  servers: readonly ProjectServer[] | undefined;
}

export function RunTable({ runs, servers }: RunTableProps) {
  return (
    <DataTable<ReadinessRun>
      caption="Readiness runs"
      columns={[
        {
          id: "subject",
          header: "Server",
          cell: (run) => (
            <RowLink
              page="readiness-run"
              params={{ pid: run.projectId, rdid: run.id }}
              note={publisherNames[run.readinessKind]}
            >
              <span className="line-clamp-1 max-w-72 break-all">
                <VisibleText text={subjectOf(run, servers)} />
              </span>
            </RowLink>
          ),
        },
        { id: "state", header: "Grade", cell: (run) => <RunState run={run} /> },
        textColumn(
          "Submits",
          ({ submissionMode }) =>
            submissionMode ? (
              modeNames[submissionMode]
            ) : (
              <Unknown reason="This directory takes servers in one way only." />
            ),
          { wideOnly: true },
        ),
        timeColumn("Started", ({ createdAt }) => createdAt, { align: "end" }),
      ]}
      items={runs}
      keyOf={({ id }) => id}
      noun={["run", "runs"]}
    />
  );
}
