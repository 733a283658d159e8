/** @module The cards of the deployment and the organization: installed as they are, once approved. */
import type { RegistryCard } from "@fettle/contract/servers";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { actionsColumn, textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";

export interface CardListProps {
  projectId: string;
  cards: readonly RegistryCard[];
  installed: ReadonlySet<string>;
  onInstalled: (serverId: string) => void;
}

export function CardList({ projectId, cards, installed, onInstalled }: CardListProps) {
  const install = useChange("installRegistryServer", ({ serverId }) => onInstalled(serverId));
  return (
    <section aria-label="Cards" className="stack gap-3">
      <h2 className="font-semibold">Of your organization</h2>
      <FormFailure failure={install.failure} />
      <DataTable<RegistryCard>
        caption="Cards"
        columns={[
          {
            id: "card",
            header: "Server",
            cell: ({ name, displayName, description }) => (
              <span className="grid min-w-0">
                <span className="break-words font-medium">
                  <VisibleText text={displayName ?? name} />
                </span>
                <span className="line-clamp-2 break-words text-soft text-sm">
                  <VisibleText text={description} />
                </span>
              </span>
            ),
          },
          textColumn("Address", ({ transport }) => transport.url, { wideOnly: true }),
          {
            id: "state",
            header: "State",
            cell: ({ id, status }) =>
              installed.has(id) ? (
                <Chip tone="good">Installed</Chip>
              ) : (
                <Chip tone={status === "approved" ? "neutral" : "warn"}>
                  {status === "approved" ? "Approved" : "Waits for an admin"}
                </Chip>
              ),
          },
          actionsColumn(({ id, name, status, updatedAt }) => (
            <Blocked reason={status === "approved" ? undefined : "An admin has not approved it yet."}>
              <Button
                busy={install.busy}
                aria-label={`Install ${name}`}
                onClick={() =>
                  install.run({ projectId, body: { registryServerId: id, expectedUpdatedAt: updatedAt } })
                }
              >
                Install
              </Button>
            </Blocked>
          )),
        ]}
        items={cards}
        keyOf={({ id }) => id}
        noun={["card", "cards"]}
      />
    </section>
  );
}
