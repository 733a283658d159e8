/** @module Makes a client, from a known host or from a whole config. */

import { textLimits } from "@fettle/contract/core";
import type { ClientDetail, ClientTemplate, Theme } from "@fettle/contract/environments";
import { must } from "@fettle/contract/formats";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import type { FormState } from "../../../kit/schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { configFault, typedConfig } from "../client-draft.ts";
import { configGroups, configSchema } from "../config-form.tsx";
import { ConfigFaults } from "./config-faults.tsx";

export interface CreateClientDialogProps {
  projectId: string;
  templates: readonly ClientTemplate[];
  onClose: () => void;
  onCreated: (client: ClientDetail) => void;
}

type Way = "template" | "config";

export function CreateClientDialog({ projectId, templates, onClose, onCreated }: CreateClientDialogProps) {
  const [way, setWay] = useState<Way>("template");
  const [templateId, setTemplateId] = useState<string>(templates[0]?.id ?? "");
  const [theme, setTheme] = useState<Theme | "">("");
  const [typedName, setName] = useState<string>();
  const [form, setForm] = useState<FormState>({ value: { modelId: "" }, drafts: {} });
  const [mode, setMode] = useState<FormMode>("json");
  const create = useChange("createClient", onCreated);
  const template = templates.find(({ id }) => id === templateId);
  const name = typedName ?? (way === "template" ? (template?.label ?? "") : "");
  const fault = way === "config" ? configFault(form) : undefined;
  const fromTemplate = () => {
    const { id, themes } = must(template, "the template that was chosen");
    return { name, template: id, ...(theme && themes.length > 0 && { theme }) };
  };
  const submit = () => {
    const body = way === "template" ? fromTemplate() : { name, config: typedConfig(form) };
    create.run({ projectId, body });
  };
  return (
    <FormDialog
      wide
      title="New client"
      description="How Fettle presents itself to MCP servers, and which model answers."
      submit="Create client"
      action={create}
      ready={fault === undefined}
      onClose={onClose}
      onSubmit={submit}
    >
      <Choice
        label="From"
        as="segments"
        options={[
          { value: "template", label: "A known host" },
          { value: "config", label: "A config" },
        ]}
        value={way}
        onChange={(next) => {
          setWay(next);
          create.reset();
        }}
      />
      {way === "template" && template && (
        <>
          <Field
            label="Behaves like"
            name="template"
            hint={
              <>
                Model <code>{template.modelId}</code>; every setting can be changed afterwards.
              </>
            }
          >
            {(control) => (
              <Select
                {...control}
                value={templateId}
                options={templates.map(({ id, label }) => ({ value: id, label }))}
                onChange={(event) => setTemplateId(event.target.value)}
              />
            )}
          </Field>
          {template.themes.length > 0 && (
            <Choice
              label="Theme"
              as="segments"
              options={[
                { value: "", label: "As the host has it" },
                { value: "light", label: "Light" },
                { value: "dark", label: "Dark" },
              ]}
              value={theme}
              onChange={setTheme}
            />
          )}
        </>
      )}
      <Field label="Name" name="name">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={textLimits.nameLength}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {way === "config" && (
        <>
          <SchemaForm
            label="Config"
            verb="set"
            schema={configSchema}
            groups={configGroups(
              <p className="text-faint text-sm">Servers are attached once the client is there.</p>,
            )}
            state={form}
            mode={mode}
            onMode={setMode}
            onChange={setForm}
          />
          {fault && <Notice kind="info">{fault}</Notice>}
        </>
      )}
      <ConfigFaults failure={create.failure} />
    </FormDialog>
  );
}
