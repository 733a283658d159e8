/** @module A crowd of one organization: its requests wait for one another, and nobody else's wait for them. */
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../testing/index.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../testing/people.ts";
import { testService } from "../testing/service.ts";

test("another organization is answered while all that one may have at work is held up, whatever keys it calls with", async () => {
  await using database = await testDatabase();
  await using service = await testService({ database, env: { FETTLE_DATABASE_CONNECTIONS: "4" } });
  const { db } = database;
  const place = async (name: string) => {
    const organizationId = await makeOrganization(db, name);
    const userId = await makeMember(db, organizationId, "owner");
    const projectId = await makeProject(db, organizationId);
    return { projectId, newKey: () => makeKey(db, organizationId, userId) };
  };
  const [busy, other] = [await place("Busy"), await place("Other")];
  const keys = await Promise.all(Array.from({ length: 20 }, busy.newKey));
  const otherKey = await other.newKey();
  const waiting = async () => {
    const { rows } = await db.execute(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  let crowd: Promise<number[]> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from projects where id = ${busy.projectId} for update`);
    crowd = Promise.all(
      keys.map(async (key, at) => {
        const body = { name: `Renamed ${at}` };
        const path = `/api/v1/projects/${busy.projectId}`;
        return (await service.call(path, { method: "PATCH", key, body })).status;
      }),
    );
    await expect.poll(waiting).toBeGreaterThan(0);
    for (let call = 0; call < 3; call++) {
      const { status } = await service.call(`/api/v1/projects/${other.projectId}`, { key: otherKey });
      expect(status).toBe(200);
    }
    // Of the four connections.
    expect(await waiting()).toBeLessThan(4);
  });
  expect(new Set(await crowd)).toEqual(new Set([200]));
});
