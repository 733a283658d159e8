/** @module A process for tests: follows topics and prints each item as a line of JSON; what it reads on stdin, it publishes. */
import { createInterface } from "node:readline";
import { Secret } from "@fettle/contract/secrets";
import { openListener } from "../core/db/listener.ts";
import { openPool } from "../core/db/pool.ts";
import { createEvents } from "../core/events/events.ts";
import { createLog } from "../core/log/log.ts";

const [, , url = "", topics = "", lastEventId] = process.argv;
const log = createLog({ level: "info", format: "json" });
const { db } = openPool({ url: new Secret(url), connections: 3, log });
const events = createEvents({ db, listener: openListener({ url: new Secret(url), log }), log });

createInterface({ input: process.stdin }).on("line", (line) => {
  const { topic, type, data } = JSON.parse(line);
  events.publish(topic, type, data);
});
const never = new AbortController().signal;
for await (const item of events.subscribe({ topics: topics.split(","), lastEventId, signal: never })) {
  process.stdout.write(`${JSON.stringify(item)}\n`);
}
