/** @module Makes an API key, and shows its value the only time anyone sees it. */
import type { Bootstrap } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { ShowOnceDialog } from "../../../kit/show-once-dialog.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { createKey } from "../queries.ts";

const expiries = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const;

export interface CreateKeyDialogProps {
  open: boolean;
  organizations: Bootstrap["organizations"];
  onClose: () => void;
}

export function CreateKeyDialog({ open, organizations, onClose }: CreateKeyDialogProps) {
  const [expiry, setExpiry] = useState<(typeof expiries)[number]["value"]>("90");
  const [value, setValue] = useState<string | null>(null);
  const create = useAction(createKey, ({ key }) => {
    setValue(key);
    onClose();
  });
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title="Create an API key"
        description="It acts as you, in one organization, and can do there what you can, except manage keys."
      >
        <Form
          className="grid gap-4"
          errors={fieldErrors(create.failure)}
          onSubmit={(values) =>
            create.run(String(values.get("organization")), {
              name: String(values.get("name")),
              expiresInDays: expiry === "never" ? null : Number(expiry),
            })
          }
        >
          <Field
            label="Name"
            name="name"
            hint="Where it is used, so that you know what breaks when you revoke it."
          >
            {(control) => (
              <Input {...control} required maxLength={120} autoComplete="off" placeholder="CI of checkout" />
            )}
          </Field>
          {organizations.length === 1 ? (
            <input type="hidden" name="organization" value={organizations[0]!.id} />
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
          <Choice
            as="segments"
            label="Expires after"
            options={expiries}
            value={expiry}
            onChange={setExpiry}
          />
          <FormFailure failure={create.failure} />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton busy={create.busy}>Create key</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      <ShowOnceDialog
        value={value}
        onClose={() => setValue(null)}
        title="Store your key now"
        about="This is the only time it is shown. Fettle keeps a fingerprint of it, not the key."
        noun="key"
        example={{
          label: "Try it",
          command: `export FETTLE_API_KEY=<the key>\ncurl -H "Authorization: Bearer $FETTLE_API_KEY" ${location.origin}/api/v1/me`,
        }}
      />
    </>
  );
}
