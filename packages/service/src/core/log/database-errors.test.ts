/** What the database refuses is told without what was to be written: parameters hold hashes, ciphertext and people's texts. */

import { redactText } from "@fettle/contract/secrets";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningApp } from "../../start/create-app.ts";
import { testApp } from "../../testing/app.ts";
import { refusingUnstorable } from "../db/storable.ts";
import { newId } from "../id.ts";
import { users } from "../tables/accounts.ts";
import { createLog } from "./log.ts";

let app: RunningApp;
const taken = newId("user");
beforeAll(async () => {
  app = await testApp();
  await app.db.insert(users).values({ id: taken, name: "Ada", email: "ada@example.com" });
});
afterAll(() => app.stop());

const canary = "canary-parameter\n    at 5e1f77aa";

/** Each fails, with the canary among what was to be written or read. */
const writes: Record<string, () => Promise<unknown>> = {
  "a taken key": async () =>
    app.db.insert(users).values({ id: taken, name: canary, email: `${canary}@example.com` }),
  "a missing value": async () =>
    app.db.execute(sql`insert into users (id, name, email) values (${canary}, null, ${canary})`),
  "a value of another type": async () => app.db.execute(sql`select ${canary}::int`),
  "a text that cannot be stored": async () =>
    refusingUnstorable(async () =>
      app.db.insert(users).values({ id: newId("user"), name: `${canary}\u0000`, email: canary }),
    ),
  "a broken constraint, without Drizzle": () =>
    app.pool.query("insert into users (id, name, email) values ($2, $1, $1)", [canary, taken]),
  "inside a transaction": () =>
    app.db.transaction((tx) => tx.insert(users).values({ id: taken, name: canary, email: canary })),
};

test.each(Object.keys(writes).flatMap((what) => [[what, "json"] as const, [what, "human"] as const]))(
  "%s leaves no parameter in the %s log",
  async (what, format) => {
    const error: unknown = await writes[what]!().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    let logged = "";
    const log = createLog({ level: "debug", format, write: (line) => (logged += line) });
    log.error("a write failed", { error });
    log.error(`a write failed: ${(error as Error).message}`, { nested: [{ why: error }] });
    log.warn("as text", { why: String(error), stack: (error as Error).stack });
    expect(logged).not.toMatch(/canary|5e1f77aa/);
    // Still of use: the statement or the database's code, and where it came from.
    expect(logged).toMatch(/Failed query|\b(?:23|22)\w{3}\b/);
    expect(redactText(String(error))).not.toContain("5e1f77aa");
  },
);
