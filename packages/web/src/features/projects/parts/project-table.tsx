/** @module The organization's projects. */
import type { Project } from "@fettle/contract";
import { Globe, Lock } from "lucide-react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { Avatar } from "../../../ui/avatar.tsx";
import { Time } from "../../../ui/time.tsx";

const columns: readonly Column<Project>[] = [
  {
    id: "name",
    header: "Project",
    cell: (project) => (
      <span className="flex items-center gap-3">
        <Avatar name={project.name} square large />
        <span className="min-w-0">
          <PageLink
            page="project-home"
            params={{ pid: project.id }}
            data-row-focus=""
            className="rounded-[4px] font-medium after:absolute after:inset-0"
          >
            {project.name}
          </PageLink>
          <span className="block max-w-md truncate text-faint text-sm">
            {project.description || "No description"}
          </span>
        </span>
      </span>
    ),
  },
  {
    id: "visibility",
    header: "Visibility",
    wideOnly: true,
    cell: ({ visibility }) => {
      const Icon = visibility === "private" ? Lock : Globe;
      return (
        <span className="inline-flex items-center gap-1.5 align-middle text-soft">
          <Icon aria-hidden="true" className="size-3.5 text-faint" />
          {visibility === "private" ? "Private" : "Public"}
        </span>
      );
    },
  },
  {
    id: "role",
    header: "Your role",
    wideOnly: true,
    cell: ({ role }) => <span className="text-soft capitalize">{role}</span>,
  },
  {
    id: "updated",
    header: "Updated",
    align: "end",
    cell: ({ updatedAt }) => (
      <span className="text-soft">
        <Time at={updatedAt} />
      </span>
    ),
  },
];

export function ProjectTable({ projects }: { projects: readonly Project[] }) {
  return (
    <DataTable
      caption="Projects"
      columns={columns}
      items={projects}
      keyOf={(project) => project.id}
      noun={["project", "projects"]}
    />
  );
}
