/** @module The API keys the person may see. */
import type { ApiKey } from "@fettle/contract/people";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { timeAgo } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { keyState } from "../key-state.ts";

export interface KeyTableProps {
  keys: readonly ApiKey[];
  nameOf: (organizationId: string) => string;
  /** With a single organization, naming it in every row says nothing. */
  showOrganization: boolean;
}

export function KeyTable({ keys, nameOf, showOrganization }: KeyTableProps) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useChange("revokeApiKey", () => {
    toast(`${revoking?.name} is revoked`);
    setRevoking(null);
  });
  return (
    <>
      <DataTable
        caption="API keys"
        columns={columnsOf(showOrganization ? nameOf : undefined, setRevoking)}
        items={keys}
        keyOf={(key) => key.id}
        noun={["key", "keys"]}
      />
      {revoking && (
        <ConfirmDialog
          title="Revoke this key?"
          typed={{ label: "Name of the key", text: revoking.name }}
          confirm="Revoke key"
          action={revoke}
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke.run({ organizationId: revoking.organizationId, keyId: revoking.id })}
        >
          <p>
            Whatever uses <strong className="font-medium text-text">{revoking.name}</strong> stops working at
            once. It cannot be undone.
          </p>
          <p>
            {revoking.lastUsedAt
              ? `Last used ${timeAgo(revoking.lastUsedAt, Date.now())}.`
              : "It was never used."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const stateChips = {
  active: <Chip tone="good">Active</Chip>,
  expired: <Chip tone="warn">Expired</Chip>,
  revoked: <Chip>Revoked</Chip>,
};

function columnsOf(
  nameOf: ((id: string) => string) | undefined,
  onRevoke: (key: ApiKey) => void,
): Column<ApiKey>[] {
  return [
    {
      id: "name",
      header: "Name",
      cell: (key) => (
        <span className="grid">
          <span className="font-medium">{key.name}</span>
          <code className="text-faint text-xs">{key.redacted}</code>
        </span>
      ),
    },
    { id: "state", header: "State", cell: (key) => stateChips[keyState(key, Date.now())] },
    ...(nameOf
      ? [textColumn<ApiKey>("Organization", (key) => nameOf(key.organizationId), { wideOnly: true })]
      : []),
    timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { otherwise: "Never" }),
    timeColumn("Expires", ({ expiresAt }) => expiresAt, { otherwise: "Never" }),
    textColumn(
      "Created",
      ({ createdAt, createdBy }) => (
        <span className="grid">
          <Time at={createdAt} />
          <span className="text-faint text-xs">by {createdBy.name}</span>
        </span>
      ),
      { wideOnly: true },
    ),
    actionsColumn(
      (key) =>
        keyState(key, Date.now()) !== "revoked" && (
          <Button look="quiet" data-row-focus="" onClick={() => onRevoke(key)}>
            Revoke<span className="sr-only"> {key.name}</span>
          </Button>
        ),
    ),
  ];
}
