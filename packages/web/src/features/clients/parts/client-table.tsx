/** @module The clients of a project: whom each behaves like, its model, what follows it, and who changed it last. */
import type { Client, ClientTemplate } from "@fettle/contract";
import { Copy, GitCompare, MonitorSmartphone, MoreHorizontal, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { PageLink } from "../../../app/page-link.tsx";
import { Changed } from "../../../kit/changed.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
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
  const columns = useMemo(() => columnsOf(props, offline), [props, offline]);
  return (
    <DataTable
      caption="Clients"
      columns={columns}
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
  const { projectId, templates } = props;
  return [
    {
      id: "name",
      header: "Client",
      cell: (client) => (
        <span className="flex items-center gap-3">
          <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-line bg-sunken text-faint">
            <MonitorSmartphone aria-hidden="true" className="size-4" />
          </span>
          <span className="grid min-w-0">
            <PageLink
              page="client-settings"
              params={{ pid: projectId, cid: client.id }}
              data-row-focus=""
              className="break-words rounded-[4px] font-medium after:absolute after:inset-0"
            >
              {client.name}
            </PageLink>
            <span className="block max-w-60 truncate text-faint text-sm">
              {hostLabel(client.hostStyle, templates)}
            </span>
          </span>
        </span>
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
    {
      id: "config",
      header: "Config",
      wideOnly: true,
      cell: ({ configId }) => (
        <code title={configId} className="text-code text-soft">
          {shortConfigId(configId)}
        </code>
      ),
    },
    {
      id: "impact",
      header: "Used by",
      wideOnly: true,
      cell: ({ impact }) => <span className="text-soft">{impactWords(impact)}</span>,
    },
    {
      id: "changed",
      header: "Changed",
      wideOnly: true,
      align: "end",
      cell: ({ updatedBy, updatedAt }) => <Changed by={updatedBy} at={updatedAt} />,
    },
    {
      id: "actions",
      header: "Actions",
      quiet: true,
      align: "end",
      className: "w-12",
      cell: (client) => (
        <span className="relative">
          <Menu
            trigger={
              <IconButton label={`Actions for ${client.name}`}>
                <MoreHorizontal aria-hidden="true" className="size-4" />
              </IconButton>
            }
          >
            <MenuItem
              icon={<GitCompare aria-hidden="true" className="size-4" />}
              onSelect={() => props.onCompare(client)}
            >
              Compare
            </MenuItem>
            <MenuItem
              icon={<Copy aria-hidden="true" className="size-4" />}
              blocked={props.duplicateBlock ?? offline}
              onSelect={() => props.onDuplicate(client)}
            >
              Duplicate
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              blocked={offline}
              onSelect={() => props.onDelete(client)}
            >
              Delete
            </MenuItem>
          </Menu>
        </span>
      ),
    },
  ];
}
