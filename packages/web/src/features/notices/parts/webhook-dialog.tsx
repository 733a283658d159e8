/** @module Makes or changes a webhook; a new secret is shown the only time anyone sees it. */
import { textLimits } from "@fettle/contract/core";
import { type NoticeEvent, noticeLimits, type Webhook } from "@fettle/contract/notices";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { ShowOnceDialog } from "../../../kit/show-once-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.tsx";
import { EventChoice } from "./event-choice.tsx";

export interface WebhookDialogProps {
  projectId: string;
  /** The one that is changed; a new one otherwise. */
  webhook?: Webhook;
  onClose: () => void;
}

export function WebhookDialog({ projectId, webhook, onClose }: WebhookDialogProps) {
  const [events, setEvents] = useState<NoticeEvent[]>(
    webhook?.events ?? ["verdict.turned", "tunnel.dropped"],
  );
  // The secret lives here alone and never in the cache.
  const [secret, setSecret] = useState<string>();
  const create = useChange("createWebhook", (made) => setSecret(made.secret));
  const update = useChange("updateWebhook", ({ name }) => {
    toast(`${name} is saved`);
    onClose();
  });
  if (secret !== undefined) return <SigningSecret secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={webhook ? `Change ${webhook.name}` : "Add a webhook"}
      description="What happens in the project is sent there, signed. Credentials never are."
      submit={webhook ? "Save" : "Add webhook"}
      action={webhook ? update : create}
      ready={events.length > 0}
      onClose={onClose}
      onSubmit={(values) => {
        const name = String(values.get("name"));
        const url = String(values.get("url")).trim();
        if (!webhook) return create.run({ projectId, body: { name, url, events } });
        const body = { name, events, ...(url !== "" && { url }) };
        return update.run({ projectId, webhookId: webhook.id, body });
      }}
    >
      <Field label="Name" name="name" hint="Who is told, so that others know what breaks without it.">
        {(control) => (
          <Input
            {...control}
            required
            defaultValue={webhook?.name}
            maxLength={noticeLimits.nameLength}
            autoComplete="off"
            placeholder="Alerts of checkout"
          />
        )}
      </Field>
      <Field
        label="Address"
        name="url"
        hint={
          webhook
            ? `Now ${webhook.url}. Left empty, it stays.`
            : "It is kept sealed, and shown without what may be secret in it."
        }
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            required={!webhook}
            maxLength={textLimits.addressLength}
            autoComplete="off"
            placeholder="https://example.com/hooks/fettle"
          />
        )}
      </Field>
      <EventChoice label="Tell it when" chosen={events} onChange={setEvents} />
    </FormDialog>
  );
}

export function SigningSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnceDialog
      value={secret}
      onClose={onClose}
      title="Store the secret now"
      about="This is the only time it is shown. It signs every delivery the way Standard Webhooks does."
      noun="secret"
    />
  );
}
