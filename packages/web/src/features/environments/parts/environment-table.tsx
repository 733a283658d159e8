/** @module The named environments of a project. */
import type { Client, Environment } from "@fettle/contract/environments";
import { FlaskConical } from "lucide-react";
import { Changed } from "../../../kit/changed.tsx";
import { textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { pinWords } from "../pin-words.ts";

export interface EnvironmentTableProps {
  environments: readonly Environment[];
  clients: readonly Client[];
}

export function EnvironmentTable({ environments, clients }: EnvironmentTableProps) {
  return (
    <DataTable<Environment>
      caption="Environments"
      columns={[
        {
          id: "name",
          header: "Environment",
          cell: ({ projectId, id, name, archived, description }) => (
            <RowLink
              page="environment-settings"
              params={{ pid: projectId, eid: id }}
              icon={FlaskConical}
              chip={archived && <Chip>Archived</Chip>}
              note={description ?? "No description"}
            >
              {name}
            </RowLink>
          ),
        },
        {
          id: "client",
          header: "Runs as",
          cell: ({ hostId }) => {
            const client = clients.find(({ id }) => id === hostId);
            return client ? (
              <span className="break-words">{client.name}</span>
            ) : (
              <Chip tone="warn">Deleted</Chip>
            );
          },
        },
        textColumn("Pinned", pinWords, { wideOnly: true }),
        textColumn("Revision", ({ revision }) => revision, { wideOnly: true, className: "tabular-nums" }),
        {
          id: "changed",
          header: "Changed",
          wideOnly: true,
          align: "end",
          cell: ({ updatedBy, updatedAt }) => <Changed by={updatedBy} at={updatedAt} />,
        },
      ]}
      items={environments}
      keyOf={(environment) => environment.id}
      noun={["environment", "environments"]}
    />
  );
}
