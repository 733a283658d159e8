/** @module Name of the organization. */
import { accountLimits, type Bootstrap, holdsOrganizationRole } from "@fettle/contract";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";

export function OrganizationForm({ organization }: { organization: Bootstrap["organizations"][number] }) {
  const mayEdit = holdsOrganizationRole(organization.role, "admin");
  const save = useChange("updateOrganization", () => toast("Organization saved"));
  return (
    <Form
      label="Organization"
      errors={fieldErrors(save.failure)}
      onSubmit={(values) =>
        save.run({ organizationId: organization.id, body: { name: String(values.get("name")) } })
      }
    >
      <Panel
        title="Organization"
        footer={
          <>
            <span>
              {mayEdit ? "Every member sees the name." : "Only admins and owners can change the name."}
            </span>
            <SubmitButton busy={save.busy} disabled={!mayEdit}>
              Save
            </SubmitButton>
          </>
        }
      >
        <div className="grid max-w-lg gap-5">
          <Field label="Name" name="name">
            {(control) => (
              <Input
                {...control}
                required
                maxLength={accountLimits.nameLength}
                defaultValue={organization.name}
                disabled={!mayEdit}
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Id" hint="Used by the API and the command line.">
            {(control) => (
              <div className="flex gap-1">
                <Input {...control} readOnly value={organization.id} className="font-mono text-code" />
                <CopyButton small text={organization.id} label="Copy id" />
              </div>
            )}
          </Field>
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}
