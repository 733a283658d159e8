/** @module A process of its own that takes from one bucket as fast as it can; started by limits.test.ts. */
import pg from "pg";
import { takeToken } from "./limits.ts";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 5 });
await Promise.all(Array.from({ length: 5 }, () => pool.query("SELECT 1")));
process.send?.("ready");
process.once("message", async () => {
  const taken = await Promise.all(
    Array.from({ length: 100 }, () => takeToken(pool, "signInTogether", "someone@example.com")),
  );
  process.send?.(taken.filter(({ allowed }) => allowed).length);
  await pool.end();
  process.disconnect?.();
});
