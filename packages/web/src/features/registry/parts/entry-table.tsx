/** @module What a search of the directories has found. */
import type { DirectoryServer } from "@fettle/contract/servers";
import { textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { endpointWords, reasonWords, tierWords, titleOf } from "../registry-words.ts";

export interface EntryTableProps {
  entries: readonly DirectoryServer[];
  more: boolean;
  /** Ids of those that the project has. */
  installed: ReadonlySet<string>;
  onOpen: (id: string) => void;
}

export function EntryTable({ entries, more, installed, onOpen }: EntryTableProps) {
  return (
    <DataTable<DirectoryServer>
      caption="Servers of the directories"
      columns={[
        {
          id: "server",
          header: "Server",
          cell: (entry) => (
            <span className="grid min-w-0 gap-0.5">
              <button
                type="button"
                data-row-focus=""
                className="w-fit cursor-pointer break-words rounded-[4px] text-left font-medium hover:underline"
                onClick={() => onOpen(entry.id)}
              >
                <VisibleText text={titleOf(entry)} />
              </button>
              <span className="line-clamp-2 break-words text-soft text-sm">
                <VisibleText text={entry.description} />
              </span>
            </span>
          ),
        },
        textColumn("Source", ({ source }) => source, { wideOnly: true }),
        {
          id: "state",
          header: "Endpoint",
          cell: (entry) => (
            <span className="flex flex-wrap gap-1">
              <Endpoint entry={entry} />
              {installed.has(entry.id) && <Chip tone="good">Installed</Chip>}
            </span>
          ),
        },
      ]}
      items={entries}
      keyOf={({ id }) => id}
      more={more}
      noun={["server", "servers"]}
    />
  );
}

function Endpoint({ entry: { unavailableReason, endpointKind, verifiedTier } }: { entry: DirectoryServer }) {
  const tier = tierWords[verifiedTier];
  const reason = unavailableReason && reasonWords[unavailableReason];
  return (
    <>
      {reason ? (
        <Chip title={reason.about}>{reason.word}</Chip>
      ) : (
        endpointKind && <Chip plain>{endpointWords[endpointKind]}</Chip>
      )}
      {tier && (
        <Chip tone={tier.tone} title={tier.about}>
          {tier.word}
        </Chip>
      )}
    </>
  );
}
