/** @module The environment a selector means: by id, ad-hoc ones included, else by name among the named ones. */
import { type AdhocEnvironment, type ApiClient, ApiError, type Environment } from "@fettle/contract";
import { pickByIdOrName } from "./project-selection.ts";

export async function findEnvironment(
  client: ApiClient,
  projectId: string,
  selector: string,
): Promise<Environment | AdhocEnvironment> {
  try {
    return await client.getEnvironment({ projectId, environmentId: selector });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
  }
  const { items } = await client.listEnvironments({ projectId });
  return pickByIdOrName("environment", selector, items);
}
