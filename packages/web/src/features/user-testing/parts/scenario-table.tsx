/** @module What a project has published, each with who may come and how many did. */
import type { ProjectScenario } from "@fettle/contract/visitors";
import { Users } from "lucide-react";
import { textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Time } from "../../../ui/time.tsx";
import { modeText } from "../scenario-words.ts";

export function ScenarioTable({ pid, scenarios }: { pid: string; scenarios: readonly ProjectScenario[] }) {
  return (
    <DataTable<ProjectScenario>
      caption="Scenarios"
      columns={[
        {
          id: "name",
          header: "Scenario",
          cell: ({ id, name, description, serverNames }) => (
            <RowLink
              page="scenario"
              params={{ pid, scid: id }}
              icon={Users}
              note={description || serverNames.join(", ") || "No servers at the moment"}
            >
              {name}
            </RowLink>
          ),
        },
        textColumn("Who may come", ({ mode }) => modeText(mode)),
        textColumn("Sessions", ({ sessionCount }) => sessionCount, { className: "tabular-nums" }),
        {
          id: "created",
          header: "Published",
          wideOnly: true,
          align: "end",
          cell: ({ createdAt }) => <Time at={createdAt} />,
        },
      ]}
      items={scenarios}
      keyOf={({ id }) => id}
      noun={["scenario", "scenarios"]}
    />
  );
}
