import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testApp, testDatabase } from "../../testing/index.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

const one = "1".repeat(40);
const other = "2".repeat(40);

test("a service with another key than the deployment's is refused at start, and says what to do", async () => {
  await using database = await testDatabase();
  const start = async (env: Record<string, string>) => {
    await using app = await testApp({ database, env });
    return app.vault;
  };
  await start({ FETTLE_SECRET_KEY: one });
  await start({ FETTLE_SECRET_KEY: one });
  await expect(start({ FETTLE_SECRET_KEY: other })).rejects.toMatchObject({
    code: "SECRET_KEY_WRONG",
    message: expect.stringContaining("encrypted with another key"),
    hint: expect.stringContaining("FETTLE_PREVIOUS_SECRET_KEYS"),
  });
  // A change of keys: the old one opens, and is not needed for this any more.
  await start({ FETTLE_SECRET_KEY: other, FETTLE_PREVIOUS_SECRET_KEYS: one });
  await start({ FETTLE_SECRET_KEY: other });
  await expect(start({ FETTLE_SECRET_KEY: one })).rejects.toMatchObject({ code: "SECRET_KEY_WRONG" });
  const { rows } = await database.db.execute(sql`select sealed from vault_checks`);
  expect(rows).toHaveLength(1);
});

test("a mistyped key does not take over from the key file", async () => {
  await using database = await testDatabase();
  const home = temporaryFolder();
  const start = async (env: Record<string, string>) => {
    const app = await testApp({ database, env: { FETTLE_HOME: home, ...env } });
    await app.stop();
  };
  await start({ FETTLE_SECRET_KEY: "" });
  await expect(start({ FETTLE_SECRET_KEY: other })).rejects.toMatchObject({
    code: "SECRET_KEY_WRONG",
    hint: expect.stringContaining("secret.key"),
  });
  await start({ FETTLE_SECRET_KEY: "" });
  const file = globSync(join(home, "**", "secret.key"))[0]!;
  await start({ FETTLE_SECRET_KEY: other, FETTLE_PREVIOUS_SECRET_KEYS: readFileSync(file, "utf8").trim() });
  await start({ FETTLE_SECRET_KEY: other });
});

test("five first starts with one key agree on one check value", async () => {
  await using database = await testDatabase();
  const apps = await Promise.all(Array.from({ length: 5 }, () => testApp({ database })));
  await Promise.all(apps.map((app) => app.stop()));
});
