/** @module The fields of an environment: the client it runs as, and what is pinned on top of it. */
import { textLimits } from "@fettle/contract/core";
import { useQuery } from "@tanstack/react-query";
import { useOperation } from "../../../api/operation.ts";
import { Loaded } from "../../../kit/loaded.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import type { EnvironmentValues } from "../environment-draft.ts";
import { pluginChoicesQuery } from "../queries.ts";
import { PluginPins } from "./plugin-pins.tsx";
import { SkillPins } from "./skill-pins.tsx";

export interface EnvironmentFieldsProps {
  projectId: string;
  values: EnvironmentValues;
  /** They may look, not change. */
  readOnly?: boolean;
  onChange: (values: EnvironmentValues) => void;
}

/** A choice that is stored but no longer offered stays visible, so that it is not lost by looking. */
function withStored(options: { value: string; label: string }[], stored: string, gone: string) {
  if (stored === "" || options.some(({ value }) => value === stored)) return options;
  return [...options, { value: stored, label: `${gone} (${stored})` }];
}

export function EnvironmentFields({ projectId, values, readOnly = false, onChange }: EnvironmentFieldsProps) {
  const clients = useOperation("listClients", { projectId });
  const groups = useOperation("listServerGroups", { projectId });
  const skills = useOperation("listProjectSkills", { projectId });
  const plugins = useQuery(pluginChoicesQuery(projectId));
  const organizationId = useOperation("getProject", { projectId }).data?.organizationId;
  const models =
    useOperation("listModels", { query: organizationId ? { organizationId } : {} }).data?.items ?? [];
  const set = (change: Partial<EnvironmentValues>) => onChange({ ...values, ...change });
  return (
    <div className="stack gap-5">
      <Field label="Name" name="name" hint="Unique among the project's live environments.">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={textLimits.nameLength}
            autoComplete="off"
            disabled={readOnly}
            value={values.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" name="description" optional>
        {(control) => (
          <Textarea
            {...control}
            maxLength={textLimits.descriptionLength}
            rows={2}
            disabled={readOnly}
            value={values.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <Loaded query={clients} what="the clients">
        {({ items }) => (
          <Field
            label="Client"
            name="hostId"
            hint="Whom a run behaves like; later edits of it are followed."
            aside={
              items.length === 0 && (
                <PageLink
                  act
                  page="clients"
                  params={{ pid: projectId }}
                  className="rounded-[4px] text-accent-text underline underline-offset-2"
                >
                  New client
                </PageLink>
              )
            }
          >
            {(control) => (
              <Select
                {...control}
                required
                disabled={readOnly}
                value={values.hostId}
                options={[
                  { value: "", label: items.length > 0 ? "Choose …" : "There is no client yet" },
                  ...withStored(
                    items.map(({ id, name }) => ({ value: id, label: name })),
                    values.hostId,
                    "A deleted client",
                  ),
                ]}
                onChange={(event) => set({ hostId: event.target.value })}
              />
            )}
          </Field>
        )}
      </Loaded>
      <Loaded query={groups} what="the server groups">
        {({ items }) => (
          <Field
            label="Server group"
            name="serverAttachmentId"
            optional
            hint="A frozen set of servers. None: whatever the client is attached to at that moment."
          >
            {(control) => (
              <Select
                {...control}
                disabled={readOnly}
                value={values.serverAttachmentId}
                options={[
                  { value: "", label: "None: the client's own servers" },
                  ...withStored(
                    items.map(({ id, name, serverNames }) => ({
                      value: id,
                      label: `${name} (${serverNames.join(", ")})`,
                    })),
                    values.serverAttachmentId,
                    "A group that is gone",
                  ),
                ]}
                onChange={(event) => set({ serverAttachmentId: event.target.value })}
              />
            )}
          </Field>
        )}
      </Loaded>
      <Field label="Model" name="modelId" optional hint="Empty: the client's own model.">
        {(control) => (
          <>
            <Input
              {...control}
              list={`${control.id}-models`}
              autoComplete="off"
              spellCheck={false}
              disabled={readOnly}
              className="font-mono"
              value={values.modelId}
              onChange={(event) => set({ modelId: event.target.value })}
            />
            <datalist id={`${control.id}-models`}>
              {models.map(({ id }) => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Loaded query={skills} what="the skills">
        {({ items }) => (
          <SkillPins
            skills={items}
            pinned={values.skillIds}
            readOnly={readOnly}
            onChange={(skillIds) => set({ skillIds })}
          />
        )}
      </Loaded>
      <Loaded query={plugins} what="the plugins">
        {(choices) => (
          <PluginPins
            choices={choices}
            pinned={values.pluginVersionIds}
            readOnly={readOnly}
            onChange={(pluginVersionIds) => set({ pluginVersionIds })}
          />
        )}
      </Loaded>
    </div>
  );
}
