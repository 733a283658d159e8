/** @module The container engine of this deployment: found when it is first needed, looked for again when it was not there. */
import { statSync } from "node:fs";
import { ApiError, errorStatus } from "@fettle/contract/core";
import type { SandboxConfig } from "../../core/config/config.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Database } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import type { Log } from "../../core/log/log.ts";
import { sandboxDeployment } from "../../core/tables/sandbox-images.ts";
import { type Engine, openEngine } from "./engine.ts";
import { EngineError } from "./socket-http.ts";

export interface Sandboxes {
  /** Undefined where there is none; throws an `EngineError` where one is that does not answer. */
  engine(): Promise<Engine | undefined>;
}

declare module "../../core/app.ts" {
  interface App {
    /** Where containers are run. */
    sandboxes: Sandboxes;
  }
}

export function createSandboxes(options: { config: SandboxConfig; db: Database; log: Log }): Sandboxes {
  const { config, db, log } = options;
  let found: Engine | undefined;
  return {
    engine: async () => {
      found ??= await find(config.sockets, db, log);
      return found;
    },
  };
}

/** For what cannot be done without one. */
export async function requireEngine({ sandboxes }: { sandboxes: Sandboxes }): Promise<Engine> {
  const engine = await throughEngine(() => sandboxes.engine());
  if (engine) return engine;
  throw new ApiError(
    "FEATURE_NOT_SUPPORTED",
    "This deployment has no container engine to run sandboxes in.",
    {
      reason: "no_sandbox_engine",
      hint: "Operators install podman or Docker, start its socket (`systemctl enable --now podman.socket`), and name it in FETTLE_SANDBOX_ENGINE if it is in an unusual place.",
    },
  );
}

/** An engine that does not answer, or not as it should, is an outage to whoever asked, never a verdict. */
export async function throughEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const details = { code: "SANDBOX_ENGINE" };
    throw new ApiError("UNAVAILABLE", error.message, details, {
      status: errorStatus.UNAVAILABLE,
      cause: error,
    });
  }
}

async function find(sockets: readonly string[], db: Database, log: Log): Promise<Engine | undefined> {
  let silent: unknown;
  for (const path of sockets) {
    if (!statSync(path, { throwIfNoEntry: false })?.isSocket()) continue;
    try {
      const engine = await openEngine(path, await readDeployment(db));
      log.info("sandboxes are run by a container engine", { engine: engine.name, socket: path });
      return engine;
    } catch (error) {
      log.warn("a container engine does not answer", { socket: path, error });
      silent ??= error;
    }
  }
  if (silent !== undefined) throw silent;
  return undefined;
}

/** What this deployment calls itself to an engine that others may use too. Its processes share it by the database. */
async function readDeployment(db: Database): Promise<string> {
  // The first process decides; a second one that came at the same time reads what the first wrote.
  await db
    .insert(sandboxDeployment)
    .values({ id: newId("deployment").toLowerCase() })
    .onConflictDoNothing();
  return oneRow(await db.select().from(sandboxDeployment)).id;
}
