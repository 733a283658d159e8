/** @module Two runs of a suite side by side: what got worse first. */
import type { EvalRunCompare } from "@fettle/contract/evals";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import {
  changeWord,
  differences,
  headline,
  inOrder,
  type Metric,
  metricsOf,
  sideWords,
  summaryWords,
} from "../compare-words.ts";
import { sentence } from "../run-words.ts";

type ComparedCase = EvalRunCompare["cases"][number];

export function CompareView({ projectId, compare }: { projectId: string; compare: EvalRunCompare }) {
  const { baseRun, compareRun, compatibility } = compare;
  const { kind, words } = headline(compare);
  const differing = differences(compare);
  return (
    <div data-testid="eval-compare" className="stack gap-6">
      <Notice kind={kind}>
        <span className="font-medium">{words}</span> {summaryWords(compare)}
      </Notice>
      {!compatibility.comparable && (
        <Notice kind="warn" title="They are not the same experiment">
          Case by case they can be read side by side; a verdict about the whole would prove nothing.
          {differing.length > 0 && ` What differs: ${differing.join("; ")}.`}
        </Notice>
      )}
      <DataTable<ComparedCase>
        caption="Cases"
        noun={["case", "cases"]}
        items={inOrder(compare.cases)}
        keyOf={({ caseKey }) => caseKey}
        columns={[
          {
            id: "case",
            header: "Case",
            cell: ({ title, compare: side, base }) => (
              <span className="grid">
                <span className="break-words font-medium">{title}</span>
                {(side.error ?? base.error) && (
                  <span className="line-clamp-2 break-words text-faint text-sm">
                    <VisibleText text={sentence(side.error ?? base.error ?? "")} />
                  </span>
                )}
              </span>
            ),
          },
          {
            id: "status",
            header: "Change",
            cell: (one) => (
              <span data-testid="compared-case" data-status={one.status} className="flex flex-wrap gap-1.5">
                <Chip tone={changeWord(one).tone}>{changeWord(one).word}</Chip>
                {one.configChanged && (
                  <Chip plain title="The case itself was changed between the two runs.">
                    Other case
                  </Chip>
                )}
              </span>
            ),
          },
          sideColumn(projectId, "base", baseRun),
          sideColumn(projectId, "compare", compareRun),
        ]}
      />
      <DataTable<Metric>
        caption="Numbers"
        noun={["number", "numbers"]}
        items={metricsOf(compare)}
        keyOf={({ name }) => name}
        columns={[
          { id: "name", header: "Number", cell: ({ name }) => name },
          { id: "base", header: `Run ${baseRun.runNumber}`, align: "end", cell: ({ base }) => value(base) },
          {
            id: "compare",
            header: `Run ${compareRun.runNumber}`,
            align: "end",
            cell: ({ compare: now }) => value(now),
          },
          { id: "delta", header: "Difference", align: "end", cell: ({ delta }) => value(delta) },
        ]}
      />
    </div>
  );
}

function value(text: string | null) {
  return text === null ? (
    <Unknown reason="It is not known of both." />
  ) : (
    <span className="tabular-nums">{text}</span>
  );
}

function sideColumn(
  pid: string,
  side: "base" | "compare",
  run: EvalRunCompare["baseRun"],
): Column<ComparedCase> {
  return {
    id: side,
    header: `Run ${run.runNumber}`,
    wideOnly: true,
    cell: (one) =>
      one[side].outcome === "absent" ? (
        <span className="text-faint text-sm">{sideWords(one[side])}</span>
      ) : (
        <PageLink
          page="eval-run"
          params={{ pid, erid: run.id }}
          search={{ at: `${one.caseKey}.1` }}
          className="text-sm text-soft underline"
        >
          {sideWords(one[side])}
        </PageLink>
      ),
  };
}
