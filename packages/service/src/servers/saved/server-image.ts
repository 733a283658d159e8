/** @module Which image a saved stdio server's command runs in: the one it names, or the only one that the project shares, which it then keeps. */
import { ApiError, type SandboxImageId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import type { Engine } from "../../sandboxes/engine/engine.ts";
import { builtTag } from "../../sandboxes/images/build-image.ts";
import { listReadyShared, type ReadyImage } from "../../sandboxes/images/build-store.ts";
import { keepImage } from "../../sandboxes/servers/store.ts";
import type { ServerRow } from "./store.ts";

interface RunsIn {
  engine: Engine;
  /** The engine's name of what is built. */
  image: string;
  /** Of the server's row, where it was changed to keep the image. */
  version?: string | undefined;
}

/** Only what is shared: whoever may call the server may know what it runs in. */
export async function requireImage(app: App, server: ServerRow): Promise<RunsIn> {
  const engine = await app.sandboxes.engine();
  if (!engine) throw needsTunnel();
  const ready = await listReadyShared(app.db, server.projectId);
  const { sandboxImageId } = server.settings;
  const chosen = sandboxImageId ? named(ready, sandboxImageId, server) : onlyOne(ready, server);
  const image = builtTag(server.projectId, chosen.contentHash);
  if (sandboxImageId) return { engine, image };
  // A second image that is shared later must not stop a server that has run.
  return { engine, image, version: await keepImage(app.db, server.id, chosen.imageId) };
}

/** One that is gone is not replaced by another that nobody chose: the server's secrets would be opened there. */
function named(ready: readonly ReadyImage[], id: SandboxImageId, server: ServerRow): ReadyImage {
  const found = ready.find(({ imageId }) => imageId === id);
  if (found) return found;
  throw new ApiError(
    "FEATURE_NOT_SUPPORTED",
    "The image that this server runs in is not there, not shared, or not built.",
    {
      reason: "IMAGE_NOT_READY",
      imageId: id,
      hint: `Build it (fettle cloud images build --image ${id}) and share it (fettle cloud images promote --image ${id}), or choose another: fettle cloud projects servers update --server ${server.id} --image <name>`,
    },
  );
}

function onlyOne(ready: readonly ReadyImage[], server: ServerRow): ReadyImage {
  const [first, ...others] = ready;
  if (!first) throw needsTunnel();
  if (others.length === 0) return first;
  const names = ready.map(({ imageId, name }) => `${name} (${imageId})`);
  throw new ApiError(
    "FEATURE_NOT_SUPPORTED",
    `The project shares several images, and this server does not say which it runs in: ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`,
    {
      reason: "IMAGE_NOT_CHOSEN",
      choices: ready.map(({ imageId, name }) => ({ id: imageId, name })),
      hint: `Choose one: fettle cloud projects servers update --server ${server.id} --image ${first.imageId}`,
    },
  );
}

/** Without an image, or an engine to run it, a command runs where somebody has it. */
export const needsTunnel = () =>
  new ApiError(
    "FEATURE_NOT_SUPPORTED",
    "The service starts no commands on its own machine. Reach this server through a tunnel, or let it run in an image of the project.",
    {
      reason: "STDIO_NEEDS_TUNNEL",
      hint: "Run `fettle cloud tunnel --server <name> -- <command>` where the command lives, or build and share an image that has it (`fettle cloud images`).",
    },
  );
