/** @module The image that a saved command runs in, as it is chosen when the server is saved. */
import { ApiError, type ProjectId } from "@fettle/contract/core";
import type { Querier } from "../../core/db/pool.ts";
import type { ServerSettings } from "../../core/tables/servers.ts";
import { listReadyShared } from "../../sandboxes/images/build-store.ts";
import * as store from "./store.ts";

type Chosen = Pick<ServerSettings, "sandboxImageId">;

/** Whoever may call the server may know what it runs in, so no draft of somebody's. */
export async function requireImageFor(
  db: Querier,
  projectId: ProjectId,
  transportType: "stdio" | "http",
  { sandboxImageId }: Chosen,
): Promise<void> {
  if (!sandboxImageId) return;
  const path = "body.sandboxImageId";
  if (transportType === "http") {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      "Only a server that is started by a command runs in an image; this one has an address.",
      {
        reason: "IMAGE_WITHOUT_COMMAND",
        path,
        hint: 'Leave sandboxImageId out, or save a command: {"transportType": "stdio", "command": "…"}.',
      },
    );
  }
  if (await store.isSharedImage(db, projectId, sandboxImageId)) return;
  throw new ApiError("VALIDATION_ERROR", "The project shares no such image.", {
    path,
    code: "IMAGE_NOT_SHARED",
    hint: "`fettle cloud images list` shows them; an admin shares a draft with `fettle cloud images promote`.",
  });
}

/** The only one there is, where none was named: a second that is shared later changes nothing for this server. */
export async function onlyImage(
  db: Querier,
  projectId: ProjectId,
  transportType: "stdio" | "http",
  { sandboxImageId }: Chosen,
): Promise<Chosen> {
  if (transportType === "http" || sandboxImageId) return {};
  const [only, ...others] = await listReadyShared(db, projectId);
  return only && others.length === 0 ? { sandboxImageId: only.imageId } : {};
}
