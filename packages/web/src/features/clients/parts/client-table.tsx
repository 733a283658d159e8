/** @module The clients of a project: whom each behaves like, its model, what follows it, and who changed it last. */
import type { Client, ClientTemplate } from "@fettle/contract/environments";
import { Copy, GitCompare, MonitorSmartphone, Trash2 } from "lucide-react";
import { Changed } from "../../../kit/changed.tsx";
import { actionsColumn, textColumn } from "../../../kit/list/columns.tsx";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { RowLink } from "../../../pages/row-link.tsx";
import { impactWords } from "../impact.ts";

export interface ClientTableProps {
  projectId: string;
  clients: readonly Client[];
  templates: readonly ClientTemplate[];
  /** Why a client cannot be duplicated; undefined when it can. */
  duplicateBlock: string | undefined;
  onCompare: (client: Client) => void;
  onDuplicate: (client: Client) => void;
  onDelete: (client: Client) => void;
}

export function ClientTable(props: ClientTableProps) {
  const offline = useWriteBlock();
  return (
    <DataTable
      caption="Clients"
      columns={columnsOf(props, offline)}
      items={props.clients}
      keyOf={(client) => client.id}
      noun={["client", "clients"]}
    />
  );
}

/** A host this release has no template for is shown by its own name. */
export function hostLabel(hostStyle: string, templates: readonly ClientTemplate[]): string {
  return templates.find((template) => template.hostStyle === hostStyle)?.label ?? hostStyle;
}

/** Long enough to tell two apart; the whole id is in the title and on the client's page. */
export function shortConfigId(configId: string): string {
  return configId.slice(0, 12);
}

function columnsOf(props: ClientTableProps, offline: string | undefined): Column<Client>[] {
  const { projectId, templates, duplicateBlock, onCompare, onDuplicate, onDelete } = props;
  return [
    {
      id: "name",
      header: "Client",
      cell: ({ id, name, hostStyle }) => (
        <RowLink
          page="client-settings"
          params={{ pid: projectId, cid: id }}
          icon={MonitorSmartphone}
          note={hostLabel(hostStyle, templates)}
        >
          {name}
        </RowLink>
      ),
    },
    {
      id: "settings",
      header: "Model and servers",
      cell: ({ modelId, serverCount, hasComputer }) => (
        <span className="grid">
          <span className="break-all font-mono text-code">{modelId}</span>
          <span className="text-faint text-sm">
            {serverCount === 0 ? "no servers" : serverCount === 1 ? "1 server" : `${serverCount} servers`}
            {hasComputer && ", a computer"}
          </span>
        </span>
      ),
    },
    textColumn(
      "Config",
      ({ configId }) => (
        <code title={configId} className="text-code">
          {shortConfigId(configId)}
        </code>
      ),
      { wideOnly: true },
    ),
    textColumn("Used by", ({ impact }) => impactWords(impact), { wideOnly: true }),
    {
      id: "changed",
      header: "Changed",
      wideOnly: true,
      align: "end",
      cell: ({ updatedBy, updatedAt }) => <Changed by={updatedBy} at={updatedAt} />,
    },
    actionsColumn((client) => (
      <RowMenu
        name={client.name}
        actions={[
          { label: "Compare", icon: GitCompare, onSelect: () => onCompare(client) },
          {
            label: "Duplicate",
            icon: Copy,
            blocked: duplicateBlock ?? offline,
            onSelect: () => onDuplicate(client),
          },
          {
            label: "Delete",
            icon: Trash2,
            danger: true,
            blocked: offline,
            onSelect: () => onDelete(client),
          },
        ]}
      />
    )),
  ];
}
