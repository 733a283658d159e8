/** @module Name of the organization. Two who change it at once choose, as with everything that is shared. */
import { accountLimits, holdsOrganizationRole } from "@fettle/contract/core";
import type { Bootstrap } from "@fettle/contract/people";
import { failureOf } from "../../../api/failure.ts";
import { bootstrapQuery, change, queryClient } from "../../../api/operation.ts";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import type { Fields } from "../../../kit/conflict/three-way.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.tsx";

type Organization = Bootstrap["organizations"][number];

interface OrganizationDraft {
  base: Organization;
  name: string;
}

async function saveOrganization({ base, name }: OrganizationDraft) {
  const { id: organizationId, updatedAt: expectedUpdatedAt } = base;
  try {
    await change("updateOrganization", { organizationId, body: { name, expectedUpdatedAt } });
    return { kind: "saved", stored: base };
  } catch (error) {
    if (failureOf(error).details?.code !== "ORGANIZATION_CHANGED") throw error;
    const { organizations } = await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 });
    return { kind: "conflict", stored: organizations.find(({ id }) => id === organizationId) ?? base };
  }
}

export function OrganizationForm({ organization }: { organization: Organization }) {
  const mayEdit = holdsOrganizationRole(organization.role, "admin");
  const editing = useEditing({
    key: `organization:${organization.id}`,
    keeps: true,
    stored: organization,
    start: (base): OrganizationDraft => ({ base, name: base.name }),
    isChanged: ({ base, name }) => name !== base.name,
    isOutdated: ({ base }, stored) => stored.updatedAt !== base.updatedAt,
    faultOf: () => (mayEdit ? undefined : "Only admins and owners can change the name."),
    save: saveOrganization,
    onEnd: ({ kind }) => kind === "saved" && toast("Organization saved"),
  });
  return (
    <DraftEditor
      editing={editing}
      what="the organization"
      title="Organization"
      conflict={{
        fieldsOf: ({ name }) => ({ name }),
        mine: { name: editing.draft.name },
        current: ({ name }) => name,
        labelOf: () => "Name",
        show: (_, value) => <span className="break-words">{String(value)}</span>,
        settle: (base, { name }: Fields) => ({ base, name: String(name) }),
      }}
    >
      <div className="grid max-w-lg gap-5">
        <Field label="Name" name="name" hint="Every member sees it.">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={accountLimits.nameLength}
              value={editing.draft.name}
              onChange={(event) => editing.edit({ ...editing.draft, name: event.target.value })}
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
      </div>
    </DraftEditor>
  );
}
