/** @module The sample project's desk: the environment in which both its made-up visitors and its swarm meet the bookshop. */
import { type EnvironmentId, idOf } from "@fettle/contract/core";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { createEnvironment } from "../../environments/saved/environments.ts";
import { listNamed } from "../../environments/saved/store.ts";
import { createClient } from "../../servers/clients/clients.ts";

/** What every job of the sample is told. */
export const sampleInput = z.object({
  projectId: idOf<"project">(),
  serverId: idOf<"server">(),
  userId: idOf<"user">(),
});

const name = "Bookshop desk";

/** Whoever comes first makes it. */
export async function findOrMakeDesk(
  app: App,
  { projectId, serverId, userId }: z.infer<typeof sampleInput>,
): Promise<EnvironmentId> {
  return app.db.transaction(async (tx) => {
    await holdNameLock(tx, `sample desk ${projectId}`);
    const found = (await listNamed(tx, projectId, false)).find((one) => one.name === name);
    if (found) return found.id;
    const config = { modelId: "fettle/rules-1", serverIds: [serverId] };
    const client = await createClient(app, tx, projectId, userId, { name: "Shop assistant", config });
    const environment = await createEnvironment(app, tx, projectId, userId, {
      name,
      description: "A sample: the bookshop, as an assistant of the shop would use it.",
      hostId: client.id,
    });
    return environment.id;
  });
}
