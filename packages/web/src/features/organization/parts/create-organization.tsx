/** @module Makes another organization; whoever makes it owns it. */
import { accountLimits } from "@fettle/contract/core";
import { useNavigate } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { createStore } from "../../../lib/store.ts";
import { pagePath } from "../../../pages/pages.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.tsx";

export const createOrganizationOpen = createStore(false);

export function CreateOrganization() {
  const open = useSyncExternalStore(createOrganizationOpen.subscribe, createOrganizationOpen.get);
  const navigate = useNavigate();
  const close = () => createOrganizationOpen.set(false);
  const create = useChange("createOrganization", ({ id, name }) => {
    close();
    toast(`${name} is ready`);
    void navigate({ to: pagePath("organization-home", { org: id }) });
  });
  if (!open) return null;
  return (
    <FormDialog
      title="New organization"
      description="Its members, projects and keys are apart from those of your other organizations."
      submit="Create organization"
      action={create}
      onClose={close}
      onSubmit={(values) => create.run({ body: { name: String(values.get("name")) } })}
    >
      <Field label="Name" name="name">
        {(control) => (
          <Input {...control} required maxLength={accountLimits.nameLength} autoComplete="organization" />
        )}
      </Field>
    </FormDialog>
  );
}
