/** @module A process for tests to kill: owns the embedded database of the folder it is given, until its stdin ends. */

import { openDatabase } from "../core/db/open.ts";
import { createLog } from "../core/log/log.ts";

const database = await openDatabase({
  config: { database: { kind: "embedded" }, dataFolder: process.argv[2]!, databaseConnections: 2 },
  log: createLog({ level: "info", format: "json" }),
});
process.stdout.write("ready\n");
process.stdin.resume();
process.stdin.once("end", () => database.close());
