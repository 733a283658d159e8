/** @module Every part of an `App` but its database: the only place that knows them all. Loaded while the database starts. */

import { limits } from "@fettle/contract/core";
import type { App } from "../core/app.ts";
import type { Config } from "../core/config/config.ts";
import { createHealth } from "../core/db/health.ts";
import { openListener } from "../core/db/listener.ts";
import type { OpenDatabase } from "../core/db/open.ts";
import { createEvents } from "../core/events/events.ts";
import { createJobs } from "../core/jobs/jobs.ts";
import type { Log } from "../core/log/log.ts";
import type { Vault } from "../core/vault/vault.ts";
import { createAudience } from "../http/caller/audience.ts";
import { originsOf } from "../http/same-origin.ts";
import { createOpenStreams } from "../http/streams/open-streams.ts";
import { createIntents } from "../models/intents.ts";
import { createModels } from "../models/models.ts";
import { createSettlements } from "../models/settlements.ts";
import { createHolder } from "../sandboxes/engine/holder.ts";
import { createSandboxes } from "../sandboxes/engine/sandboxes.ts";
import { createServerSandboxes } from "../sandboxes/servers/server-sandboxes.ts";
import { createHistory } from "../servers/history/keeper.ts";
import { tellTurned } from "../servers/history/tell-turned.ts";
import { createAsks } from "../servers/live/asks.ts";
import { createLargePlaces } from "../servers/live/large-places.ts";
import { createPool } from "../servers/live/pool.ts";
import { createServerThreads } from "../servers/live/server-threads.ts";
import { createRelay } from "../servers/relay/relay.ts";
import { createTurnLines } from "../visitors/user-testing/turn-lines.ts";
import { createVisitWatch } from "../visitors/user-testing/visit-watch.ts";
import { insightSources } from "./insight-sources.ts";

/** For the first process that works, once it can be asked for something. */
const loadJobDefinitions = async () => (await import("./job-definitions.ts")).jobDefinitions;

export interface AppParts {
  app: App;
  /** Ends what the parts began, in the reverse order of this list. */
  closers: (() => Promise<void>)[];
}

export function createParts(given: {
  config: Config;
  database: OpenDatabase;
  vault: Vault;
  log: Log;
  now: () => number;
}): AppParts {
  const { config, database, vault, log, now } = given;
  const { db, pool } = database;
  const listener = openListener({ url: database.url, log });
  const events = createEvents({ db, listener, log });
  const sandboxHolder = createHolder({ db, now });
  const app: App = {
    config,
    db,
    pool,
    log,
    vault,
    jobs: createJobs({ db, url: database.url, listener, definitions: loadJobDefinitions, now }),
    events,
    history: createHistory({ db, pool, events, log, tellTurned: (...entry) => tellTurned(app, ...entry) }),
    openStreams: createOpenStreams(),
    visitStreams: createOpenStreams(limits.userTesting.streams),
    visitWatch: createVisitWatch({ db }),
    turnLines: createTurnLines(),
    audience: createAudience({ pool, now }),
    connections: createPool(),
    asks: createAsks({ pool, listener, vault, log }),
    models: createModels(config, {
      intents: createIntents({ pool }),
      settlements: createSettlements({ pool, log }),
    }),
    insightSources,
    serverThreads: createServerThreads(log),
    largePlaces: createLargePlaces(),
    health: createHealth(pool, config),
    relay: createRelay({ db, pool, listener, log, now, origins: originsOf(config) }),
    sandboxes: createSandboxes({ config: config.sandbox, db, log }),
    sandboxHolder,
    serverSandboxes: createServerSandboxes({ holder: sandboxHolder, db }),
    now,
  };
  const closers = [
    () => database.close(),
    () => listener.close(),
    () => app.history.close(),
    () => app.relay.close(),
    async () => app.asks.close(),
    () => app.sandboxHolder.close(),
    () => app.connections.close(),
    () => app.models.close(),
    () => app.serverThreads.close(),
  ];
  return { app, closers };
}
