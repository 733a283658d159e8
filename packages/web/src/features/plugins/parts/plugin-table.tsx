/** @module The plugins installed in a project. */
import type { Plugin } from "@fettle/contract";
import { Plug } from "lucide-react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { EnabledChip } from "./enabled-chip.tsx";

export function PluginTable({ plugins }: { plugins: readonly Plugin[] }) {
  return (
    <DataTable
      caption="Plugins"
      columns={columns}
      items={plugins}
      keyOf={(plugin) => plugin.id}
      noun={["plugin", "plugins"]}
    />
  );
}

const columns: Column<Plugin>[] = [
  {
    id: "name",
    header: "Plugin",
    cell: (plugin) => (
      <span className="flex items-center gap-3">
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-line bg-sunken text-faint max-sm:hidden">
          <Plug aria-hidden="true" className="size-4" />
        </span>
        <span className="grid min-w-0">
          <PageLink
            page="plugin"
            params={{ pid: plugin.projectId, plid: plugin.id }}
            data-row-focus=""
            className="break-words rounded-[4px] font-medium after:absolute after:inset-0"
          >
            <VisibleText text={plugin.displayName ?? plugin.name} />
          </PageLink>
          <span className="line-clamp-2 max-w-96 text-faint text-sm">
            <VisibleText text={plugin.description ?? plugin.name} />
          </span>
        </span>
      </span>
    ),
  },
  { id: "state", header: "State", cell: (plugin) => <EnabledChip plugin={plugin} /> },
  {
    id: "version",
    header: "Active version",
    wideOnly: true,
    cell: ({ activeVersionId }) =>
      activeVersionId ? (
        <code className="text-code">{activeVersionId}</code>
      ) : (
        <Chip tone="warn">None is ready</Chip>
      ),
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
];
