/** @module The API keys the person may see. */
import type { ApiKey } from "@fettle/contract";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { timeAgo } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { keyState } from "../key-state.ts";
import { revokeKey } from "../queries.ts";

export interface KeyTableProps {
  keys: readonly ApiKey[];
  nameOf: (organizationId: string) => string;
  /** With a single organization, naming it in every row says nothing. */
  showOrganization: boolean;
}

export function KeyTable({ keys, nameOf, showOrganization }: KeyTableProps) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const revoke = useAction(
    () => revokeKey(revoking!.organizationId, revoking!.id),
    () => {
      toast(`${revoking?.name} is revoked`);
      setRevoking(null);
    },
  );
  const columns = useMemo(
    () => columnsOf(nameOf, setRevoking).filter(({ id }) => id !== "organization" || showOrganization),
    [nameOf, showOrganization],
  );
  return (
    <>
      <DataTable
        caption="API keys"
        columns={columns}
        items={keys}
        keyOf={(key) => key.id}
        noun={["key", "keys"]}
      />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Revoke this key?"
        typed={{ label: "Name of the key", text: revoking?.name ?? "" }}
        confirm="Revoke key"
        action={revoke}
      >
        <p>
          Whatever uses <strong className="font-medium text-text">{revoking?.name}</strong> stops working at
          once. It cannot be undone.
        </p>
        <p>
          {revoking?.lastUsedAt
            ? `Last used ${timeAgo(revoking.lastUsedAt, Date.now())}.`
            : "It was never used."}
        </p>
      </ConfirmDialog>
    </>
  );
}

function columnsOf(nameOf: (id: string) => string, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
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
    {
      id: "state",
      header: "State",
      cell: (key) =>
        ({
          active: <Chip tone="good">Active</Chip>,
          expired: <Chip tone="warn">Expired</Chip>,
          revoked: <Chip>Revoked</Chip>,
        })[keyState(key, Date.now())],
    },
    {
      id: "organization",
      header: "Organization",
      wideOnly: true,
      cell: (key) => <span className="text-soft">{nameOf(key.organizationId)}</span>,
    },
    {
      id: "used",
      header: "Last used",
      wideOnly: true,
      cell: ({ lastUsedAt }) => (
        <span className="text-soft">{lastUsedAt ? <Time at={lastUsedAt} /> : "Never"}</span>
      ),
    },
    {
      id: "expires",
      header: "Expires",
      wideOnly: true,
      cell: ({ expiresAt }) => (
        <span className="text-soft">{expiresAt ? <Time at={expiresAt} /> : "Never"}</span>
      ),
    },
    {
      id: "created",
      header: "Created",
      wideOnly: true,
      cell: ({ createdAt, createdBy }) => (
        <span className="grid text-soft">
          <Time at={createdAt} />
          <span className="text-faint text-xs">by {createdBy.name}</span>
        </span>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      quiet: true,
      align: "end",
      cell: (key) =>
        keyState(key, Date.now()) !== "revoked" && (
          <Button look="quiet" data-row-focus="" onClick={() => onRevoke(key)}>
            Revoke<span className="sr-only"> {key.name}</span>
          </Button>
        ),
    },
  ];
}
