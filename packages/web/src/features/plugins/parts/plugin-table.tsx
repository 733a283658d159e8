/** @module The plugins installed in a project. */
import type { Plugin } from "@fettle/contract/environments";
import { Plug } from "lucide-react";
import { timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { EnabledChip } from "./enabled-chip.tsx";

export function PluginTable({ plugins }: { plugins: readonly Plugin[] }) {
  return (
    <DataTable<Plugin>
      caption="Plugins"
      columns={[
        {
          id: "name",
          header: "Plugin",
          cell: ({ projectId, id, name, displayName, description }) => (
            <RowLink
              page="plugin"
              params={{ pid: projectId, plid: id }}
              icon={Plug}
              note={<VisibleText text={description ?? (displayName ? name : "")} />}
            >
              <VisibleText text={displayName ?? name} />
            </RowLink>
          ),
        },
        { id: "state", header: "State", cell: (plugin) => <EnabledChip plugin={plugin} /> },
        {
          id: "version",
          header: "Active version",
          wideOnly: true,
          cell: ({ activeVersionId }) =>
            activeVersionId ? <Chip tone="good">Ready</Chip> : <Chip tone="warn">None is ready</Chip>,
        },
        timeColumn("Updated", ({ updatedAt }) => updatedAt, { align: "end" }),
      ]}
      items={plugins}
      keyOf={(plugin) => plugin.id}
      noun={["plugin", "plugins"]}
    />
  );
}
