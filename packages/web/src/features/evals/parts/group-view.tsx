/** @module One suite on several targets: each run with its result, and every case by target. */
import type { EvalRun } from "@fettle/contract/evals";
import { useQueries } from "@tanstack/react-query";
import { operationOptions } from "../../../api/operation.ts";
import { useWindow } from "../../../kit/use-window.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Cell, HeadCell, Row, Table } from "../../../ui/table.tsx";
import { type CaseRow, caseRows, firstPlace, placeText } from "../matrix.ts";
import { repetitionWords } from "../run-words.ts";
import { RunChip } from "./run-chip.tsx";
import { RunTable } from "./run-table.tsx";

const rowHeight = 44;

export function GroupView({ projectId, runs }: { projectId: string; runs: readonly EvalRun[] }) {
  const matrices = useQueries({
    queries: runs.map(({ id }) => operationOptions("getEvalRunMatrix", { projectId, runId: id })),
    combine: (results) => results.map(({ data }) => (data ? caseRows(data) : [])),
  });
  return (
    <>
      <RunTable runs={runs} />
      <CasesByTarget projectId={projectId} runs={runs} matrices={matrices} />
    </>
  );
}

interface CasesByTargetProps {
  projectId: string;
  runs: readonly EvalRun[];
  matrices: readonly (readonly CaseRow[])[];
}

function CasesByTarget({ projectId: pid, runs, matrices }: CasesByTargetProps) {
  const titles = new Map(matrices.flat().map(({ caseKey, title }) => [caseKey, title]));
  const keys = [...titles.keys()];
  const drawn = useWindow(keys.length, rowHeight);
  if (keys.length === 0) return null;
  return (
    <div onScroll={drawn.onScroll} className="max-h-[70vh] overflow-y-auto">
      <Table label="Cases by target">
        <thead>
          <tr>
            <HeadCell>Case</HeadCell>
            {runs.map((run) => (
              <HeadCell key={run.id}>
                <span className="flex items-center gap-2">
                  {run.target.name} <RunChip run={run} />
                </span>
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr style={{ height: drawn.before }} />
          {keys.slice(drawn.from, drawn.to).map((key) => (
            <Row key={key} style={{ height: rowHeight }}>
              <Cell className="max-w-96 truncate font-medium">{titles.get(key)}</Cell>
              {runs.map((run, at) => {
                const rows = matrices[at] ?? [];
                return (
                  <Cell key={run.id}>
                    <span className="flex flex-wrap gap-1.5">
                      {rows
                        .filter(({ caseKey }) => caseKey === key)
                        .map((row) => (
                          <PageLink
                            key={row.key}
                            page="eval-run"
                            params={{ pid, erid: run.id }}
                            search={{ at: placeText(firstPlace(row), rows) }}
                            className="inline-flex min-h-6 items-center"
                          >
                            <Chip tone={repetitionWords[row.state].tone}>
                              {repetitionWords[row.state].word}
                            </Chip>
                          </PageLink>
                        ))}
                    </span>
                  </Cell>
                );
              })}
            </Row>
          ))}
          <tr style={{ height: drawn.after }} />
        </tbody>
      </Table>
    </div>
  );
}
