/** @module The skills someone sees in a project: their drafts, what is shared, and what plugins brought. */
import type { Project, Skill } from "@fettle/contract";
import { useMemo } from "react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Time } from "../../../ui/time.tsx";
import { PinnabilityView } from "./pinnability-view.tsx";
import { SharingChip } from "./sharing-chip.tsx";
import { SkillActions } from "./skill-actions.tsx";

export interface SkillTableProps {
  skills: readonly Skill[];
  role: Project["role"] | undefined;
}

export function SkillTable({ skills, role }: SkillTableProps) {
  const columns = useMemo(() => columnsOf(role), [role]);
  return (
    <DataTable
      caption="Skills"
      columns={columns}
      items={skills}
      keyOf={(skill) => skill.id}
      noun={["skill", "skills"]}
    />
  );
}

function columnsOf(role: SkillTableProps["role"]): Column<Skill>[] {
  return [
    {
      id: "name",
      header: "Skill",
      cell: (skill) => (
        <span className="grid min-w-0">
          <PageLink
            page="skill"
            params={{ pid: skill.projectId, kid: skill.id }}
            data-row-focus=""
            className="break-all rounded-[4px] font-medium after:absolute after:inset-0"
          >
            {skill.name}
          </PageLink>
          <span className="line-clamp-2 max-w-96 text-faint text-sm">
            <VisibleText text={skill.description} />
          </span>
        </span>
      ),
    },
    { id: "sharing", header: "Whose", wideOnly: true, cell: (skill) => <SharingChip skill={skill} /> },
    {
      id: "pinnability",
      header: "Pinning",
      cell: ({ pinnability }) => <PinnabilityView pinnability={pinnability} />,
    },
    {
      id: "updated",
      header: "Updated",
      wideOnly: true,
      align: "end",
      cell: ({ updatedAt }) => (
        <span className="text-soft">
          <Time at={updatedAt} />
        </span>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      quiet: true,
      align: "end",
      className: "w-12",
      cell: (skill) => (
        <span className="relative">
          <SkillActions skill={skill} role={role} />
        </span>
      ),
    },
  ];
}
