/** @module The organization's projects. */
import type { Project } from "@fettle/contract/people";
import { Globe, Lock } from "lucide-react";
import { textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Avatar } from "../../../ui/avatar.tsx";

export function ProjectTable({ projects }: { projects: readonly Project[] }) {
  return (
    <DataTable<Project>
      caption="Projects"
      columns={[
        {
          id: "name",
          header: "Project",
          cell: ({ id, name, description }) => (
            <RowLink
              page="project-home"
              params={{ pid: id }}
              picture={<Avatar name={name} square large />}
              note={description || "No description"}
            >
              {name}
            </RowLink>
          ),
        },
        textColumn(
          "Visibility",
          ({ visibility }) => {
            const Icon = visibility === "private" ? Lock : Globe;
            return (
              <span className="inline-flex items-center gap-1.5 align-middle">
                <Icon aria-hidden="true" className="size-3.5 text-faint" />
                {visibility === "private" ? "Private" : "Public"}
              </span>
            );
          },
          { wideOnly: true },
        ),
        textColumn("Your role", ({ role }) => <span className="capitalize">{role}</span>, { wideOnly: true }),
        timeColumn("Updated", ({ updatedAt }) => updatedAt, { wideOnly: false, align: "end" }),
      ]}
      items={projects}
      keyOf={(project) => project.id}
      noun={["project", "projects"]}
    />
  );
}
