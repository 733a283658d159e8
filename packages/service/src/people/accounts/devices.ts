/** @module Everything that is signed in as a person: browsers and command lines, in one list. */

import type { UserId } from "@fettle/contract/core";
import type { Device } from "@fettle/contract/people";
import type { App } from "../../core/app.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announce } from "./announce.ts";
import { deleteOwnSession, listSessions as listCliSessions } from "./cli-login/store.ts";
import { listSessions, revokeSession } from "./sign-in/store.ts";

/** The most recently used first. */
export async function listDevices(
  app: App,
  session: { userId: UserId; sessionId: string },
): Promise<{ items: Device[] }> {
  const now = new Date(app.now());
  const [browsers, commandLines] = await Promise.all([
    listSessions(app.db, session.userId, now),
    listCliSessions(app.db, session.userId, now),
  ]);
  const devices: Device[] = [
    ...browsers.map((row) => ({
      id: row.id,
      kind: "browser" as const,
      name: row.userAgent,
      current: row.id === session.sessionId,
      ipAddress: row.ipAddress,
      ...instants(row),
    })),
    ...commandLines.map((row) => ({
      id: row.id,
      kind: "cli" as const,
      name: row.deviceName,
      current: false,
      ipAddress: null,
      ...instants(row),
    })),
  ];
  return { items: devices.sort((one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0)) };
}

function instants(row: { createdAt: Date; lastUsedAt: Date; expiresAt: Date }) {
  return {
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  };
}

export async function revokeDevice(app: App, userId: UserId, deviceId: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const wasBrowser = await revokeSession(tx, userId, deviceId);
    const wasCommandLine = !wasBrowser && (await deleteOwnSession(tx, userId, deviceId));
    if (!wasBrowser && !wasCommandLine) throw notFound("device");
    await announce(app, tx, `account:${userId}`);
  });
}
