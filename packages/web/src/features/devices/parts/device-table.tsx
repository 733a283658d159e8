/** @module What is signed in as this person, and how to end it. */
import type { Device } from "@fettle/contract";
import { Globe, SquareTerminal } from "lucide-react";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { deviceName } from "../device-name.ts";
import { revokeDevice } from "../queries.ts";

export function DeviceTable({ devices }: { devices: readonly Device[] }) {
  const [revoking, setRevoking] = useState<Device | null>(null);
  const revoke = useAction(
    () => revokeDevice(revoking!.id),
    () => {
      toast("Signed out there");
      setRevoking(null);
    },
  );
  const columns = useMemo(() => columnsOf(setRevoking), []);
  return (
    <>
      <DataTable
        caption="Devices"
        columns={columns}
        items={devices}
        keyOf={(device) => device.id}
        noun={["device", "devices"]}
      />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Sign out ${revoking ? deviceName(revoking) : ""}?`}
        confirm="Sign out"
        action={revoke}
      >
        <p>It must sign in again before it can act as you. API keys are not touched.</p>
      </ConfirmDialog>
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
    {
      id: "address",
      header: "Address",
      wideOnly: true,
      cell: ({ ipAddress }) =>
        ipAddress ? (
          <code className="text-soft text-xs">{ipAddress}</code>
        ) : (
          <Unknown reason="No address was recorded" />
        ),
    },
    {
      id: "used",
      header: "Last used",
      cell: ({ lastUsedAt }) => (
        <span className="text-soft">
          {lastUsedAt ? <Time at={lastUsedAt} /> : <Unknown reason="Not used yet" />}
        </span>
      ),
    },
    {
      id: "signed-in",
      header: "Signed in",
      wideOnly: true,
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <Time at={createdAt} />
        </span>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      quiet: true,
      align: "end",
      cell: (device) =>
        !device.current && (
          <Button look="quiet" data-row-focus="" onClick={() => onRevoke(device)}>
            Sign out<span className="sr-only"> {deviceName(device)}</span>
          </Button>
        ),
    },
  ];
}
