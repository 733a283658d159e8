/** @module The skills someone sees in a project: their drafts, what is shared, and what plugins brought. */
import type { Skill } from "@fettle/contract/environments";
import type { Project } from "@fettle/contract/people";
import { actionsColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { PinnabilityView } from "./pinnability-view.tsx";
import { SkillActions } from "./skill-actions.tsx";
import { SkillSharing } from "./skill-sharing.tsx";

export interface SkillTableProps {
  skills: readonly Skill[];
  role: Project["role"] | undefined;
}

export function SkillTable({ skills, role }: SkillTableProps) {
  return (
    <DataTable<Skill>
      caption="Skills"
      columns={[
        {
          id: "name",
          header: "Skill",
          cell: ({ projectId, id, name, description }) => (
            <span className="block min-w-24">
              <RowLink
                page="skill"
                params={{ pid: projectId, kid: id }}
                note={<VisibleText text={description} />}
              >
                {name}
              </RowLink>
            </span>
          ),
        },
        { id: "sharing", header: "Whose", wideOnly: true, cell: (skill) => <SkillSharing skill={skill} /> },
        {
          id: "pinnability",
          header: "Pinning",
          cell: ({ pinnability }) => <PinnabilityView pinnability={pinnability} />,
        },
        timeColumn("Updated", ({ updatedAt }) => updatedAt, { align: "end" }),
        actionsColumn((skill) => <SkillActions skill={skill} role={role} />),
      ]}
      items={skills}
      keyOf={(skill) => skill.id}
      noun={["skill", "skills"]}
    />
  );
}
