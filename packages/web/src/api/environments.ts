/** @module How environments are listed: archived ones are always read along, so that showing them costs no second read. */
import type { InputOf } from "./operation.ts";

/**
 * @example
 * useOperation("listEnvironments", everyEnvironment(projectId));
 */
export const everyEnvironment = (projectId: string): InputOf<"listEnvironments"> => ({
  projectId,
  query: { includeArchived: "true" },
});
