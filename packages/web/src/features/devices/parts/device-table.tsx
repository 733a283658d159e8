/** @module What is signed in as this person, and how to end it. */
import type { Device } from "@fettle/contract/people";
import { Globe, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { deviceName } from "../device-name.ts";

export function DeviceTable({ devices }: { devices: readonly Device[] }) {
  const [revoking, setRevoking] = useState<Device | null>(null);
  const revoke = useChange("revokeDevice", () => {
    toast("Signed out there");
    setRevoking(null);
  });
  return (
    <>
      <DataTable
        caption="Devices"
        columns={columnsOf(setRevoking)}
        items={devices}
        keyOf={(device) => device.id}
        noun={["device", "devices"]}
      />
      {revoking && (
        <ConfirmDialog
          title={`Sign out ${deviceName(revoking)}?`}
          confirm="Sign out"
          action={revoke}
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke.run({ deviceId: revoking.id })}
        >
          <p>It must sign in again before it can act as you. API keys are not touched.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsOf(onRevoke: (device: Device) => void): Column<Device>[] {
  return [
    {
      id: "name",
      header: "Device",
      cell: (device) => {
        const Icon = device.kind === "cli" ? SquareTerminal : Globe;
        return (
          <span className="flex items-center gap-3">
            <Icon aria-hidden="true" className="size-4 shrink-0 text-faint" />
            <span className="font-medium">{deviceName(device)}</span>
            {device.current && <Chip tone="good">This browser</Chip>}
          </span>
        );
      },
    },
    textColumn(
      "Address",
      ({ ipAddress }) =>
        ipAddress ? (
          <code className="text-xs">{ipAddress}</code>
        ) : (
          <Unknown reason="No address was recorded" />
        ),
      { wideOnly: true },
    ),
    timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, {
      wideOnly: false,
      otherwise: <Unknown reason="Not used yet" />,
    }),
    timeColumn("Signed in", ({ createdAt }) => createdAt),
    actionsColumn(
      (device) =>
        !device.current && (
          <Button look="quiet" data-row-focus="" onClick={() => onRevoke(device)}>
            Sign out<span className="sr-only"> {deviceName(device)}</span>
          </Button>
        ),
    ),
  ];
}
