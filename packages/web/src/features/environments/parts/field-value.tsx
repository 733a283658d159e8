/** @module One field's value as a person reads it: names instead of ids where they are known. */
import { useQuery } from "@tanstack/react-query";
import { useOperation } from "../../../api/operation.ts";
import type { Json } from "../../../lib/json-exact.ts";
import { idsIn } from "../environment-draft.ts";
import { pluginChoicesQuery } from "../queries.ts";

export interface FieldValueProps {
  projectId: string;
  field: string;
  value: Json | undefined;
}

export function FieldValue({ projectId, field, value }: FieldValueProps) {
  const nameOf = useNames(projectId);
  const ids = Array.isArray(value)
    ? idsIn(value)
    : value === "" || value === undefined
      ? []
      : [String(value)];
  if (ids.length === 0) return <span className="text-soft">None</span>;
  const isPlain = ["name", "description", "modelId"].includes(field);
  return (
    <span className="whitespace-pre-line break-words">
      {ids.map((id) => (isPlain ? id : nameOf(id))).join(", ")}
    </span>
  );
}

/** Names of whatever an environment refers to; an id nobody knows is its own name. */
export function useNames(projectId: string): (id: string) => string {
  const clients = useOperation("listClients", { projectId }).data?.items ?? [];
  const groups = useOperation("listServerGroups", { projectId }).data?.items ?? [];
  const skills = useOperation("listProjectSkills", { projectId }).data?.items ?? [];
  const plugins = useQuery(pluginChoicesQuery(projectId)).data ?? [];
  const named = [...clients, ...groups, ...skills];
  return (id) => {
    const found = named.find((each) => each.id === id);
    if (found) return found.name;
    for (const { plugin, versions } of plugins) {
      const version = versions.find((each) => each.id === id);
      if (version) return `${plugin.displayName ?? plugin.name} ${version.declaredVersion ?? id}`;
    }
    return id;
  };
}
