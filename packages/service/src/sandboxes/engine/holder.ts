/** @module Who of the deployment's processes has a container: what a killed one leaves is found by that, and removed. */
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { eq, gte, lt } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Database } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { sandboxHolders } from "../../core/tables/sandboxed-servers.ts";
import type { FoundContainer } from "./engine.ts";

const holderLabel = "fettle.holder";
/** A holder that has said nothing for this long is gone. */
export const goneMs = 3 * sandboxLimits.holderMs;

export interface Holder {
  /** For a container that is of no use without this process, which from now on says that it is there. */
  labels(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

declare module "../../core/app.ts" {
  interface App {
    /** This process, to containers that are of no use without it. */
    sandboxHolder: Holder;
  }
}

export function createHolder({ db, now }: { db: Database; now: () => number }): Holder {
  const id = newId("process");
  let beating: NodeJS.Timeout | undefined;

  async function beat(): Promise<void> {
    const seenAt = new Date(now());
    await db
      .insert(sandboxHolders)
      .values({ id, seenAt })
      .onConflictDoUpdate({ target: sandboxHolders.id, set: { seenAt } });
  }

  return {
    labels: async () => {
      if (!beating) {
        await beat();
        // A database that is away for a moment is told of the next time.
        beating ??= setInterval(() => void beat().catch(() => {}), sandboxLimits.holderMs).unref();
      }
      return { [holderLabel]: id };
    },
    close: async () => {
      clearInterval(beating);
      if (beating) await db.delete(sandboxHolders).where(eq(sandboxHolders.id, id));
    },
  };
}

/** Whose process is there. To be asked after the engine was: who made one in between has said so before. */
export async function findHeld({
  db,
  now,
}: Pick<App, "db" | "now">): Promise<(container: FoundContainer) => boolean> {
  const since = new Date(now() - goneMs);
  const rows = await db.select().from(sandboxHolders).where(gte(sandboxHolders.seenAt, since));
  const there = new Set<string>(rows.map(({ id }) => id));
  return ({ labels }) => there.has(labels[holderLabel] ?? "");
}

export async function forgetGone({ db, now }: Pick<App, "db" | "now">): Promise<void> {
  await db.delete(sandboxHolders).where(lt(sandboxHolders.seenAt, new Date(now() - goneMs)));
}
