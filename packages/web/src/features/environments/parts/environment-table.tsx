/** @module The named environments of a project. */
import type { Client, Environment } from "@fettle/contract";
import { FlaskConical } from "lucide-react";
import { useMemo } from "react";
import { PageLink } from "../../../app/page-link.tsx";
import { Changed } from "../../../kit/changed.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { pinWords } from "../pin-words.ts";

export interface EnvironmentTableProps {
  environments: readonly Environment[];
  clients: readonly Client[];
}

export function EnvironmentTable({ environments, clients }: EnvironmentTableProps) {
  const columns = useMemo(() => columnsOf(clients), [clients]);
  return (
    <DataTable
      caption="Environments"
      columns={columns}
      items={environments}
      keyOf={(environment) => environment.id}
      noun={["environment", "environments"]}
    />
  );
}

function columnsOf(clients: readonly Client[]): Column<Environment>[] {
  return [
    {
      id: "name",
      header: "Environment",
      cell: (environment) => (
        <span className="flex items-center gap-3">
          <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-line bg-sunken text-faint">
            <FlaskConical aria-hidden="true" className="size-4" />
          </span>
          <span className="grid min-w-0">
            <span className="flex flex-wrap items-center gap-2">
              <PageLink
                page="environment-settings"
                params={{ pid: environment.projectId, eid: environment.id }}
                data-row-focus=""
                className="break-words rounded-[4px] font-medium after:absolute after:inset-0"
              >
                {environment.name}
              </PageLink>
              {environment.archived && <Chip>Archived</Chip>}
            </span>
            <span className="block max-w-72 truncate text-faint text-sm">
              {environment.description ?? "No description"}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: "client",
      header: "Runs as",
      cell: ({ hostId }) => {
        const client = clients.find(({ id }) => id === hostId);
        return client ? <span className="break-words">{client.name}</span> : <Chip tone="warn">Deleted</Chip>;
      },
    },
    {
      id: "pins",
      header: "Pinned",
      wideOnly: true,
      cell: (environment) => <span className="text-soft">{pinWords(environment)}</span>,
    },
    {
      id: "revision",
      header: "Revision",
      wideOnly: true,
      cell: ({ revision }) => <span className="text-soft tabular-nums">{revision}</span>,
    },
    {
      id: "changed",
      header: "Changed",
      wideOnly: true,
      align: "end",
      cell: ({ updatedBy, updatedAt }) => <Changed by={updatedBy} at={updatedAt} />,
    },
  ];
}
