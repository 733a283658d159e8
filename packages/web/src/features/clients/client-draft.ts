/** @module A client as it is being edited: what it was when the edit began, and what of it is sent. */
import type { ClientConfig, ClientDetail } from "@fettle/contract/environments";
import { isSameJson } from "@fettle/contract/formats";
import type { Fields } from "../../kit/conflict/three-way.ts";
import type { FormState } from "../../kit/schema-form/form-state.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";

export interface ClientDraft {
  /** As it was read when the edit began; what is expected to be stored still. */
  base: ClientDetail;
  name: string;
  form: FormState;
}

export function draftFrom(client: ClientDetail): ClientDraft {
  return { base: client, name: client.name, form: { value: configOf(client), drafts: {} } };
}

/** A config came as JSON, so it is some. */
export function configOf({ config }: ClientDetail): JsonObject {
  return config as JsonObject;
}

export function isChanged({ base, name, form }: ClientDraft): boolean {
  return (
    name.trim() !== base.name ||
    Object.keys(form.drafts).length > 0 ||
    !isSameJson(form.value, configOf(base))
  );
}

/** Whether what is stored is no longer what the edit began with. */
export function isOutdated({ base }: ClientDraft, stored: ClientDetail): boolean {
  return stored.configId !== base.configId || stored.name !== base.name;
}

/** Why it cannot be sent, in words. */
export function draftFault({ name, form }: ClientDraft): string | undefined {
  return name.trim() === "" ? "A client has a name." : configFault(form);
}

export function configFault(form: FormState): string | undefined {
  const [draft] = Object.values(form.drafts);
  if (draft) return `${draft.path.join(".") || "The JSON"} is no value yet: ${draft.reason}`;
  if (!isJsonObject(form.value)) return "A config is an object.";
  const model = form.value.modelId;
  if (typeof model !== "string" || model.trim() === "") return "A config names a model (modelId).";
  return undefined;
}

export function changesConfig({ base, form }: ClientDraft): boolean {
  return !isSameJson(form.value, configOf(base));
}

/** As it was typed: the service holds it to the contract and names what is wrong. */
export function typedConfig({ value }: ClientDraft["form"]): ClientConfig {
  return (value ?? null) as ClientConfig;
}

/** Only what differs, each with what it was expected to be. */
export function updateBody(draft: ClientDraft) {
  const { base, name, form } = draft;
  return {
    ...(name.trim() !== base.name && { name: name.trim(), expectedName: base.name }),
    ...(changesConfig(draft) && {
      config: typedConfig(form),
      expectedConfigId: base.configId,
      expectedImpact: base.impact,
    }),
  };
}

/** No setting is called this: a config's own `name` would be another thing. */
export const nameField = "(name)";

export function fieldsOf(name: string, config: Json | undefined): Fields {
  return { [nameField]: name, ...(isJsonObject(config) ? config : {}) };
}

/** What was chosen in a conflict, on top of what is stored now. */
export function draftOn(stored: ClientDetail, fields: Fields): ClientDraft {
  const { [nameField]: name, ...config } = fields;
  return {
    base: stored,
    name: typeof name === "string" ? name : stored.name,
    form: { value: config as JsonObject, drafts: {} },
  };
}
