/** @module An environment as it is being edited, and what of it is sent: only what differs, and `null` for what is to be cleared. */
import type { Environment } from "@fettle/contract/environments";
import type { Fields } from "../../kit/conflict/three-way.ts";
import type { Json } from "../../lib/json-exact.ts";

/** The fields a person fills in. An empty text or list means none. */
export interface EnvironmentValues {
  name: string;
  description: string;
  hostId: string;
  serverAttachmentId: string;
  modelId: string;
  skillIds: readonly string[];
  pluginVersionIds: readonly string[];
}

export interface EnvironmentDraft {
  /** As it was read when the edit began. */
  base: Environment;
  values: EnvironmentValues;
}

export function emptyValues(): EnvironmentValues {
  return {
    name: "",
    description: "",
    hostId: "",
    serverAttachmentId: "",
    modelId: "",
    skillIds: [],
    pluginVersionIds: [],
  };
}

export function valuesOf(
  environment: Omit<Environment, "name"> & { name: string | null },
): EnvironmentValues {
  return {
    name: environment.name ?? "",
    description: environment.description ?? "",
    hostId: environment.hostId,
    serverAttachmentId: environment.serverAttachmentId ?? "",
    modelId: environment.modelId ?? "",
    skillIds: environment.skillSelection?.skillIds ?? [],
    pluginVersionIds: environment.pluginVersionIds ?? [],
  };
}

export function isChanged({ base, values }: EnvironmentDraft): boolean {
  return Object.keys(changes(valuesOf(base), values)).length > 0;
}

export function createBody(values: EnvironmentValues) {
  const { description, serverAttachmentId, modelId, skillIds, pluginVersionIds } = trimmed(values);
  return {
    name: values.name.trim(),
    hostId: values.hostId,
    ...(description && { description }),
    ...(serverAttachmentId && { serverAttachmentId }),
    ...(modelId && { modelId }),
    ...(skillIds.length > 0 && { skillSelection: { skillIds: [...skillIds] } }),
    ...(pluginVersionIds.length > 0 && { pluginVersionIds: [...pluginVersionIds] }),
  };
}

export function updateBody({ base, values }: EnvironmentDraft) {
  return { expectedRevision: base.revision, ...changes(valuesOf(base), values) };
}

/** An empty list would be refused: none is said by an explicit null. */
function changes(before: EnvironmentValues, edited: EnvironmentValues) {
  const after = trimmed(edited);
  const differs = (key: keyof EnvironmentValues) => String(before[key]) !== String(after[key]);
  return {
    ...(differs("name") && { name: after.name }),
    ...(differs("description") && { description: after.description }),
    ...(differs("hostId") && { hostId: after.hostId }),
    ...(differs("serverAttachmentId") && { serverAttachmentId: after.serverAttachmentId || null }),
    ...(differs("modelId") && { modelId: after.modelId || null }),
    ...(differs("skillIds") && {
      skillSelection: after.skillIds.length > 0 ? { skillIds: [...after.skillIds] } : null,
    }),
    ...(differs("pluginVersionIds") && {
      pluginVersionIds: after.pluginVersionIds.length > 0 ? [...after.pluginVersionIds] : null,
    }),
  };
}

function trimmed(values: EnvironmentValues): EnvironmentValues {
  const { name, description, modelId } = values;
  return { ...values, name: name.trim(), description: description.trim(), modelId: modelId.trim() };
}

export function fieldsOf(values: EnvironmentValues): Fields {
  const { skillIds, pluginVersionIds, ...texts } = trimmed(values);
  return { ...texts, skillIds: [...skillIds], pluginVersionIds: [...pluginVersionIds] };
}

/** What was chosen in a conflict. */
export function valuesFrom(fields: Fields): EnvironmentValues {
  const text = (field: string) => (typeof fields[field] === "string" ? fields[field] : "");
  const ids = (field: string) => idsIn(fields[field]);
  return {
    name: text("name"),
    description: text("description"),
    hostId: text("hostId"),
    serverAttachmentId: text("serverAttachmentId"),
    modelId: text("modelId"),
    skillIds: ids("skillIds"),
    pluginVersionIds: ids("pluginVersionIds"),
  };
}

export function idsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export const fieldLabels: Record<string, string> = {
  name: "Name",
  description: "Description",
  hostId: "Client",
  serverAttachmentId: "Server group",
  modelId: "Model",
  skillIds: "Skills",
  pluginVersionIds: "Plugin versions",
};
