/** @module What a server that signs people in is told of its client. Secrets are write-only. */
import type { ProjectServer } from "@fettle/contract/servers";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import type { ServerDraft } from "../server-draft.ts";

/** A few fields of a server that is added or changed. */
export interface FieldsPart {
  draft: ServerDraft;
  server: ProjectServer | undefined;
  set: (change: Partial<ServerDraft>) => void;
}

export function OAuthFields({ draft, server, set }: FieldsPart) {
  return (
    <div className="grid gap-4 border-line border-l-2 pl-4">
      <Field label="Scopes" name="oauthScopes" optional hint="Separated by spaces.">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            value={draft.scopes}
            onChange={(event) => set({ scopes: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Client id"
        name="clientId"
        optional
        hint={server ? "Leave it empty to keep what is saved." : "Left empty, Fettle registers itself."}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            value={draft.clientId}
            onChange={(event) => set({ clientId: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Client secret"
        name="clientSecret"
        optional
        hint={server?.hasClientSecret ? "One is saved. Leave it empty to keep it." : undefined}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            value={draft.clientSecret}
            onChange={(event) => set({ clientSecret: event.target.value })}
          />
        )}
      </Field>
      {server?.hasClientSecret && (
        <Checkbox
          label="Forget the saved client secret"
          checked={draft.clearClientSecret}
          onChange={(event) => set({ clearClientSecret: event.target.checked })}
        />
      )}
    </div>
  );
}
