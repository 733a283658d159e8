/** @module A template of addresses: its variables, and the exact address they make. */

import {
  expandTemplate,
  needsNothing,
  parseTemplate,
  type TemplateValue,
  type TemplateVariable,
} from "@fettle/contract/formats";
import type { ProjectServer } from "@fettle/contract/servers";
import { useMemo, useState } from "react";
import { completer } from "../../../api/completions.ts";
import type { FormState } from "../../../kit/schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/json-exact.ts";
import { Notice } from "../../../ui/notice.tsx";
import type { ResourceTemplate } from "../queries.ts";
import { nameOf } from "../resource-name.ts";
import { ReadPanes } from "./read-panes.tsx";

export function TemplatePanes({ server, template }: { server: ProjectServer; template: ResourceTemplate }) {
  const [state, setState] = useState<FormState>({ value: {}, drafts: {} });
  const [mode, setMode] = useState<FormMode>("form");
  const { uriTemplate } = template;
  const { id: serverId, projectId } = server;
  const complete = useMemo(
    () => completer({ projectId, serverId }, { uriTemplate }),
    [projectId, serverId, uriTemplate],
  );
  const parsed = parseTemplate(uriTemplate);
  const values = isJsonObject(state.value) ? state.value : {};
  const isReady =
    parsed.ok &&
    Object.keys(state.drafts).length === 0 &&
    (needsNothing(parsed) || parsed.variables.some(({ name }) => values[name] !== undefined));
  return (
    <ReadPanes
      server={server}
      title={nameOf(template, uriTemplate)}
      definition={template}
      uri={isReady ? expandTemplate(parsed, valuesOf(values)) : undefined}
    >
      <p className="break-all font-mono text-code text-soft">{uriTemplate}</p>
      {parsed.ok ? (
        <SchemaForm
          label="Variables"
          schema={schemaOf(parsed.variables)}
          state={state}
          onChange={setState}
          mode={mode}
          onMode={setMode}
          complete={complete}
        />
      ) : (
        <Notice kind="bad" title="This template cannot be filled in">
          {parsed.reason}
        </Notice>
      )}
    </ReadPanes>
  );
}

function schemaOf(variables: readonly TemplateVariable[]): JsonObject {
  const properties = variables.map(({ name, explode, prefix }) => [
    name,
    {
      ...(explode ? { type: "array", items: { type: "string" } } : { type: "string" }),
      ...(prefix && { description: `Only its first ${prefix} characters are used.` }),
    },
  ]);
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

function valuesOf(values: JsonObject): Record<string, TemplateValue> {
  const text = (value: Json) => (typeof value === "string" ? value : String(value));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(text) : text(value),
    ]),
  );
}
