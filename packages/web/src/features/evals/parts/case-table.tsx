/** @module The cases of a suite: what is asked, and what must come of it. */
import type { EvalCase } from "@fettle/contract/evals";
import { useOperation } from "../../../api/operation.ts";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { asksOf, expectsOf } from "../case-words.ts";

export function CaseTable({ projectId, suiteId }: { projectId: string; suiteId: string }) {
  const query = useOperation("listEvalCases", { projectId, suiteId });
  return (
    <Loaded query={query} what="the cases">
      {({ items }) => (
        <DataTable<EvalCase>
          caption="Cases"
          columns={[
            {
              id: "case",
              header: "Case",
              cell: (one) => (
                <span className="grid">
                  <span className="flex flex-wrap items-center gap-2 break-words font-medium">
                    {one.title}
                    {one.disabled && (
                      <Chip title="Kept with its history, and left out of launches.">Off</Chip>
                    )}
                  </span>
                  <span className="line-clamp-2 break-words text-faint text-sm">
                    <VisibleText text={asksOf(one)} />
                  </span>
                </span>
              ),
            },
            {
              id: "expects",
              header: "What must come of it",
              wideOnly: true,
              cell: (one) => (
                <ul className="grid text-soft text-sm">
                  {expectsOf(one).map((words) => (
                    <li key={words} className="break-words">
                      <VisibleText text={words} />
                    </li>
                  ))}
                </ul>
              ),
            },
            {
              id: "repetitions",
              header: "Repetitions",
              align: "end",
              wideOnly: true,
              cell: ({ iterations }) => <span className="tabular-nums">{iterations}</span>,
            },
          ]}
          items={items}
          keyOf={({ id }) => id}
          noun={["case", "cases"]}
        />
      )}
    </Loaded>
  );
}
