/** @module The environment a selector means: by id, ad-hoc ones included, else by name among the live or the archived ones. */
import type { ApiClient } from "@fettle/contract/client";
import { ApiError } from "@fettle/contract/core";
import type { AdhocEnvironment, Environment } from "@fettle/contract/environments";
import { pickByIdOrName } from "./project-selection.ts";

export async function findEnvironment(
  client: ApiClient,
  projectId: string,
  selector: string,
  among: "live" | "archived" = "live",
): Promise<Environment | AdhocEnvironment> {
  try {
    return await client.getEnvironment({ projectId, environmentId: selector });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
  }
  // A live environment may have taken the name of an archived one, so the two are never looked through together.
  const { items } = await client.listEnvironments({
    projectId,
    query: { includeArchived: `${among === "archived"}` },
  });
  if (among === "live") return pickByIdOrName("environment", selector, items);
  const archived = items.filter((environment) => environment.archived);
  return pickByIdOrName("archived environment", selector, archived);
}
