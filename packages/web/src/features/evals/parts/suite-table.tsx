/** @module The suites of a project, each with its latest result and where it is heading. */
import type { EvalSuite } from "@fettle/contract/evals";
import { GraduationCap } from "lucide-react";
import { TrendLine } from "../../../kit/history/trend-line.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { scheduleWords } from "../../../kit/schedule/schedule-words.ts";
import { percent } from "../../../lib/amounts.ts";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { RunChip } from "./run-chip.tsx";

export function SuiteTable({ suites }: { suites: readonly EvalSuite[] }) {
  return (
    <DataTable<EvalSuite>
      caption="Suites"
      columns={[
        {
          id: "name",
          header: "Suite",
          cell: ({ projectId, id, name, caseCount, origin, tags }) => (
            <RowLink
              page="eval-results"
              params={{ pid: projectId, suid: id }}
              icon={GraduationCap}
              note={`${caseCount} ${caseCount === 1 ? "case" : "cases"}`}
              chip={
                <>
                  {origin === "file" && <Chip plain>From a file</Chip>}
                  {tags.map((tag) => (
                    <Chip key={tag} plain>
                      {tag}
                    </Chip>
                  ))}
                </>
              }
            >
              {name}
            </RowLink>
          ),
        },
        {
          id: "state",
          header: "Last run",
          cell: ({ latestRun }) =>
            latestRun ? (
              <RunChip run={{ status: latestRun.status, result: resultOf(latestRun.result) }} />
            ) : (
              <span className="text-faint text-sm">Never ran</span>
            ),
        },
        {
          id: "rate",
          header: "Pass rate",
          wideOnly: true,
          cell: ({ latestRun, passRateTrend }) =>
            latestRun?.passRate == null ? (
              <Unknown reason="The last run has no verdict." />
            ) : (
              <span className="flex items-center gap-3">
                <span className="w-14 whitespace-nowrap font-medium tabular-nums">
                  {percent(latestRun.passRate)}
                </span>
                <TrendLine rates={passRateTrend} />
              </span>
            ),
        },
        {
          id: "schedule",
          header: "Schedule",
          wideOnly: true,
          cell: ({ schedule }) => <span className="text-soft text-sm">{scheduleWords(schedule)}</span>,
        },
        {
          id: "when",
          header: "When",
          wideOnly: true,
          align: "end",
          cell: ({ latestRun }) =>
            latestRun ? (
              <span className="text-soft">
                <Time at={latestRun.createdAt} />
              </span>
            ) : (
              <Unknown reason="It never ran." />
            ),
        },
      ]}
      items={suites}
      keyOf={({ id }) => id}
      noun={["suite", "suites"]}
    />
  );
}

function resultOf(word: string | null) {
  return word === "passed" || word === "failed" || word === "inconclusive" ? word : null;
}
