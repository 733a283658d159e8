/** @module `fettle admin`: what an operator does to accounts on the machine itself, beside the running service or without it. */

import { type Given, readConfig } from "../core/config/config.ts";
import { urlOf } from "../core/config/service-url.ts";
import { joinDatabase } from "../core/db/join.ts";
import { readLastAddress } from "../core/db/lock.ts";
import { insertEvent } from "../core/events/store.ts";
import { createLog, type Log } from "../core/log/log.ts";
import type { AdminApp, AdminPerson, EndedSessions } from "../people/accounts/admin/people.ts";

export interface Admin {
  listPeople(): Promise<AdminPerson[]>;
  /** `isServing` is false when it is known that no service is there yet to open the link. */
  makeSignInLink(asked: { email: string; forgetPassword: boolean }): Promise<{
    email: string;
    url: string;
    expiresAt: number;
    isServing: boolean;
  }>;
  endSessions(asked: { email: string; apiKeys: boolean }): Promise<EndedSessions>;
  close(): Promise<void>;
}

/**
 * Whoever can read the data folder or knows the database's password owns every account anyway, so nothing more is asked.
 *
 * @example
 * const admin = await openAdmin({ env: process.env });
 * const { url } = await admin.makeSignInLink({ email: "ada@example.com", forgetPassword: false });
 * await admin.close();
 */
export async function openAdmin(options: Given & { log?: Log }): Promise<Admin> {
  // Accounts know of the whole contract, which nobody else who loads this package's door should wait for.
  const { endSessions, listPeople, makeSignInLink } = await import("../people/accounts/admin/people.ts");
  const config = readConfig(options);
  const log = options.log ?? createLog({ ...config.log, level: "error" });
  const { db, serviceUrl, close } = await joinDatabase({ config, log });
  const app: AdminApp = {
    db,
    now: Date.now,
    events: {
      publish: (topic, type, data, { inTransaction } = {}) =>
        insertEvent(inTransaction ?? db, { topic, type, data }),
    },
  };
  const isEmbedded = config.database.kind === "embedded";
  return {
    listPeople: () => listPeople(app),
    makeSignInLink: async (asked) => {
      const { token, ...link } = await makeSignInLink(app, asked);
      // What the operator says now comes before what the service was told at its start.
      const last = isEmbedded ? readLastAddress(config.dataFolder) : undefined;
      const origin = config.publicUrl?.origin ?? serviceUrl ?? last ?? urlOf(config);
      const url = `${origin}/login#token=${token.reveal()}`;
      return { ...link, url, isServing: !isEmbedded || serviceUrl !== undefined };
    },
    endSessions: (asked) => endSessions(app, asked),
    close,
  };
}
