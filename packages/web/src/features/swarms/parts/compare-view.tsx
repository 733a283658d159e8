/** @module A run of a journey beside an earlier one: what got worse first, and whether the two are one experiment. */
import type { JourneyRunDetail, RunScorecard } from "@fettle/contract/visitors";
import { checkKinds } from "../../../kit/checks/check-kinds.ts";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { percent } from "../../../lib/amounts.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import {
  type ComparedCheck,
  type ComparedNumber,
  comparedChecks,
  comparedNumbers,
  differences,
  points,
} from "../compare.ts";

export interface CompareViewProps {
  base: JourneyRunDetail;
  now: JourneyRunDetail;
  cards: { base: RunScorecard | undefined; now: RunScorecard | undefined };
}

export function CompareView({ base, now, cards }: CompareViewProps) {
  const differing = differences(base, now);
  const changeOf = (check: ComparedCheck) => points(check.base, check.now);
  const checks = comparedChecks(cards.base, cards.now).toSorted(
    (a, b) => (changeOf(a) ?? 0) - (changeOf(b) ?? 0),
  );
  const worse = checks.filter((check) => (changeOf(check) ?? 0) < 0).length;
  return (
    <div data-testid="journey-compare" className="stack gap-6">
      <Notice kind={worse > 0 ? "bad" : "good"}>
        {worse === 0
          ? "No check passed less often."
          : `${worse === 1 ? "One check" : `${worse} checks`} passed less often.`}
      </Notice>
      {differing.length > 0 && (
        <Notice kind="warn" title="They are not the same experiment">
          They can be read side by side; a verdict about what changed would prove nothing. What differs:{" "}
          {differing.join("; ")}.
        </Notice>
      )}
      {checks.length > 0 && (
        <DataTable<ComparedCheck>
          caption="Checks"
          noun={["check", "checks"]}
          items={checks}
          keyOf={({ id }) => id}
          columns={[
            {
              id: "check",
              header: "Check",
              cell: ({ label, kind }) => (
                <span className="break-words font-medium">{label ?? checkKinds[kind]?.label ?? kind}</span>
              ),
            },
            { id: "base", header: "Earlier", align: "end", cell: (check) => rate(check.base) },
            { id: "now", header: "Later", align: "end", cell: (check) => rate(check.now) },
            {
              id: "change",
              header: "Change",
              align: "end",
              cell: (check) => <Change by={changeOf(check)} />,
            },
          ]}
        />
      )}
      <DataTable<ComparedNumber>
        caption="Numbers"
        noun={["number", "numbers"]}
        items={comparedNumbers(base, now)}
        keyOf={({ name }) => name}
        columns={[
          { id: "name", header: "Number", cell: ({ name }) => name },
          { id: "base", header: "Earlier", align: "end", cell: (each) => text(each.base) },
          { id: "now", header: "Later", align: "end", cell: (each) => text(each.now) },
        ]}
      />
    </div>
  );
}

const rate = (value: number | null | undefined) =>
  value === undefined ? (
    <span className="text-faint text-sm">not in it</span>
  ) : (
    text(value === null ? null : percent(value))
  );

const text = (value: string | null) =>
  value === null ? <Unknown reason="It is not known." /> : <span className="tabular-nums">{value}</span>;

function Change({ by }: { by: number | null }) {
  if (by === null) return <Unknown reason="It is not known of both." />;
  if (by === 0) return <span className="text-faint">none</span>;
  return <Chip tone={by > 0 ? "good" : "bad"}>{`${by > 0 ? "+" : "−"}${Math.abs(by)} points`}</Chip>;
}
