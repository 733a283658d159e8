/** @module Problems across runs, the last seen first. */
import type { ProjectFinding } from "@fettle/contract/insights";
import { textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { severityTones, statusTones, titleText } from "../finding-words.ts";

export interface FindingTableProps {
  pid: string;
  findings: readonly ProjectFinding[];
  more: boolean;
}

export function FindingTable({ pid, findings, more }: FindingTableProps) {
  return (
    <DataTable<ProjectFinding>
      caption="Findings"
      columns={[
        {
          id: "finding",
          header: "Finding",
          cell: ({ id, family, finding }) => (
            <RowLink page="finding" params={{ pid, fam: family.id, fid: id }} note={family.label}>
              <VisibleText text={titleText(finding)} />
            </RowLink>
          ),
        },
        {
          id: "severity",
          header: "Severity",
          cell: ({ finding }) => <Chip tone={severityTones[finding.severity]}>{finding.severity}</Chip>,
        },
        {
          id: "status",
          header: "How it fares",
          cell: ({ status }) => <Chip tone={statusTones[status]}>{status}</Chip>,
        },
        textColumn("Seen in", ({ occurrenceCount }) => occurrenceCount, {
          wideOnly: true,
          className: "tabular-nums",
        }),
        {
          id: "last",
          header: "Last seen",
          wideOnly: true,
          align: "end",
          cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
        },
      ]}
      items={findings}
      keyOf={({ id, family }) => `${family.id} ${id}`}
      more={more}
      noun={["finding", "findings"]}
    />
  );
}
