/** @module The webhooks of a project: whether each is well, and what can be done with it. */
import type { Webhook } from "@fettle/contract/notices";
import { KeyRound, ListChecks, Pencil, Power, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { actionsColumn, textColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { eventWords } from "../notice-words.ts";
import { SigningSecret, WebhookDialog } from "./webhook-dialog.tsx";

export interface WebhookTableProps {
  projectId: string;
  webhooks: readonly Webhook[];
  onShow: (webhookId: string) => void;
}

type Open = { kind: "change" | "delete" | "rotate"; webhook: Webhook };

export function WebhookTable({ projectId, webhooks, onShow }: WebhookTableProps) {
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpen(undefined);
  const update = useChange("updateWebhook", ({ name, enabled }) =>
    toast(`${name} is switched ${enabled ? "on" : "off"}`),
  );
  const test = useChange("testWebhook", ({ webhookId }) => onShow(webhookId));
  const remove = useChange("deleteWebhook", () => {
    toast(`${open?.webhook.name} is deleted`);
    close();
  });
  const rotate = useChange("rotateWebhookSecret", (made) => {
    setSecret(made.secret);
    close();
  });
  const actionsOf = (webhook: Webhook) => {
    const address = { projectId, webhookId: webhook.id };
    const { enabled } = webhook;
    return [
      { label: "Deliveries", icon: ListChecks, onSelect: () => onShow(webhook.id) },
      {
        label: "Send a test event",
        icon: Send,
        blocked: enabled ? undefined : "Switch it on first.",
        onSelect: () => test.run(address),
      },
      { label: "Change", icon: Pencil, onSelect: () => setOpen({ kind: "change", webhook }) },
      { label: "New secret", icon: KeyRound, onSelect: () => setOpen({ kind: "rotate", webhook }) },
      {
        label: enabled ? "Switch off" : "Switch on",
        icon: Power,
        onSelect: () => update.run({ ...address, body: { enabled: !enabled } }),
      },
      { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpen({ kind: "delete", webhook }) },
    ];
  };
  return (
    <>
      <FormFailure failure={test.failure ?? update.failure} />
      <DataTable<Webhook>
        caption="Webhooks"
        columns={[
          {
            id: "name",
            header: "Name",
            cell: ({ name, url }) => (
              <span className="grid">
                <span className="font-medium">{name}</span>
                <code className="break-all text-faint text-xs">{url}</code>
              </span>
            ),
          },
          { id: "state", header: "State", cell: (webhook) => <Standing webhook={webhook} /> },
          textColumn("Told when", ({ events }) => events.map((event) => eventWords[event].label).join(", "), {
            wideOnly: true,
          }),
          actionsColumn((webhook) => <RowMenu focus name={webhook.name} actions={actionsOf(webhook)} />),
        ]}
        items={webhooks}
        keyOf={({ id }) => id}
        noun={["webhook", "webhooks"]}
      />
      {open?.kind === "change" && (
        <WebhookDialog projectId={projectId} webhook={open.webhook} onClose={close} />
      )}
      {open?.kind === "delete" && (
        <ConfirmDialog
          title={`Delete ${open.webhook.name}?`}
          confirm="Delete webhook"
          action={remove}
          onClose={close}
          onConfirm={() => remove.run({ projectId, webhookId: open.webhook.id })}
        >
          <p>Nothing is sent there any more, and what was sent is forgotten. It cannot be undone.</p>
        </ConfirmDialog>
      )}
      {open?.kind === "rotate" && (
        <ConfirmDialog
          title="Make a new secret?"
          confirm="Make new secret"
          look="primary"
          action={rotate}
          onClose={close}
          onConfirm={() => rotate.run({ projectId, webhookId: open.webhook.id })}
        >
          <p>
            It signs at once. The one before it signs beside it for a day, so that you can change the
            receiver.
          </p>
        </ConfirmDialog>
      )}
      {secret !== undefined && <SigningSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function Standing({
  webhook: { enabled, failingSince, switchedOffAt, switchedOffReason },
}: {
  webhook: Webhook;
}) {
  if (switchedOffAt !== null) {
    return (
      <span className="grid justify-items-start gap-0.5">
        <Chip tone="bad">Switched off</Chip>
        <span className="text-faint text-xs">
          {switchedOffReason} <Time at={switchedOffAt} />
        </span>
      </span>
    );
  }
  if (!enabled) return <Chip>Off</Chip>;
  if (failingSince === null) return <Chip tone="good">On</Chip>;
  return (
    <span className="grid justify-items-start gap-0.5">
      <Chip tone="warn">Failing</Chip>
      <span className="text-faint text-xs">
        since <Time at={failingSince} />
      </span>
    </span>
  );
}
