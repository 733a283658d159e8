/** @module Makes another organization; whoever makes it owns it. */
import { useNavigate } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { app } from "../../api/client.ts";
import { fieldErrors } from "../../api/failure.ts";
import { bootstrapQuery, queryClient } from "../../api/queries.ts";
import { FormFailure } from "../../kit/form-failure.tsx";
import { useAction } from "../../kit/use-action.ts";
import { createStore } from "../../lib/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/input.tsx";
import { toast } from "../../ui/toast.tsx";
import { pagePath } from "../pages.ts";

export const createOrganizationOpen = createStore(false);

async function createOrganization(name: string) {
  const organization = await app.createOrganization({ body: { name } });
  await queryClient.invalidateQueries(bootstrapQuery);
  return organization;
}

export function CreateOrganization() {
  const open = useSyncExternalStore(createOrganizationOpen.subscribe, createOrganizationOpen.get);
  const navigate = useNavigate();
  const close = () => createOrganizationOpen.set(false);
  const create = useAction(createOrganization, (organization) => {
    close();
    toast(`${organization.name} is ready`);
    void navigate({ to: pagePath("organization-home", { org: organization.id }) });
  });
  return (
    <Dialog
      open={open}
      onClose={close}
      title="New organization"
      description="Its members, projects and keys are apart from those of your other organizations."
    >
      <Form
        className="grid gap-4"
        errors={fieldErrors(create.failure)}
        onSubmit={(values) => create.run(String(values.get("name")))}
      >
        <Field label="Name" name="name">
          {(control) => <Input {...control} required maxLength={120} autoComplete="organization" />}
        </Field>
        <FormFailure failure={create.failure} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.busy}>
            Create organization
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
