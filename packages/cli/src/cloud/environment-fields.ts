/** @module The fields of an environment that have a flag of their own; only those that were typed. */

export function environmentFields(typed: {
  name: string | undefined;
  hostId: string | undefined;
  description: string | undefined;
  model: string | undefined;
  sandboxImage: string | undefined;
}): Record<string, string> {
  const { name, hostId, description, model: modelId, sandboxImage: sandboxImageId } = typed;
  const fields = Object.entries({ name, hostId, description, modelId, sandboxImageId });
  return Object.fromEntries(fields.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
