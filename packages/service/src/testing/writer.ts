/**
 * @module A process for tests to kill: writes numbers one after the other and prints each when the database has
 * acknowledged it. With a folder it owns the embedded database there; with an address it uses that server.
 */
import { Secret } from "@fettle/contract/secrets";
import { sql } from "drizzle-orm";
import { openDatabase } from "../core/db/open.ts";
import { isConnectionFault, openPool } from "../core/db/pool.ts";
import { createLog } from "../core/log/log.ts";

const [, , place = "", first = "0"] = process.argv;
const log = createLog({ level: "info", format: "json" });
const { db } = place.startsWith("postgres:")
  ? openPool({ url: new Secret(place), connections: 2, log })
  : await openDatabase({
      config: { database: { kind: "embedded" }, dataFolder: place, databaseConnections: 2 },
      log,
    });
await db.execute(sql`create table if not exists written (n int primary key)`);
process.stdout.write("ready\n");
for (let n = Number(first); ; n++) {
  try {
    await db.transaction((tx) => tx.execute(sql`insert into written values (${n})`));
    process.stdout.write(`ack ${n}\n`);
  } catch (error) {
    // Whether this one was written is not known; it was not acknowledged, so the next number is tried.
    if (!isConnectionFault(error)) throw error;
  }
}
