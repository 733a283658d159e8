/** @module Makes an API key, and shows its value the only time anyone sees it. */

import { accountLimits } from "@fettle/contract/core";
import { only } from "@fettle/contract/formats";
import type { Bootstrap } from "@fettle/contract/people";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { ShowOnceDialog } from "../../../kit/show-once-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";

const expiries = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const;

export interface CreateKeyDialogProps {
  organizations: Bootstrap["organizations"];
  onClose: () => void;
}

export function CreateKeyDialog({ organizations, onClose }: CreateKeyDialogProps) {
  const organization = only(organizations);
  const [expiry, setExpiry] = useState<(typeof expiries)[number]["value"]>("90");
  // The key lives here alone and never in the cache.
  const [value, setValue] = useState<string>();
  const create = useChange("createApiKey", ({ key }) => setValue(key));
  if (value !== undefined) {
    return (
      <ShowOnceDialog
        value={value}
        onClose={onClose}
        title="Store your key now"
        about="This is the only time it is shown. Fettle keeps a fingerprint of it, not the key."
        noun="key"
        example={{
          label: "Try it",
          command: `export FETTLE_API_KEY=<the key>\ncurl -H "Authorization: Bearer $FETTLE_API_KEY" ${location.origin}/api/v1/me`,
        }}
      />
    );
  }
  return (
    <FormDialog
      title="Create an API key"
      description="It acts as you, in one organization, and can do there what you can, except manage keys."
      submit="Create key"
      action={create}
      onClose={onClose}
      onSubmit={(values) =>
        create.run({
          organizationId: String(values.get("organization")),
          body: {
            name: String(values.get("name")),
            expiresInDays: expiry === "never" ? null : Number(expiry),
          },
        })
      }
    >
      <Field
        label="Name"
        name="name"
        hint="Where it is used, so that you know what breaks when you revoke it."
      >
        {(control) => (
          <Input
            {...control}
            required
            maxLength={accountLimits.nameLength}
            autoComplete="off"
            placeholder="CI of checkout"
          />
        )}
      </Field>
      {organization ? (
        <input type="hidden" name="organization" value={organization.id} />
      ) : (
        <Field label="Organization" name="organization">
          {(control) => (
            <Select
              {...control}
              options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </Field>
      )}
      <Choice as="segments" label="Expires after" options={expiries} value={expiry} onChange={setExpiry} />
    </FormDialog>
  );
}
