/** @module The hostile corpus as a process of its own, so that what it burns is not measured as the service's: runs once for each message. */
import { type HostileLoadOptions, openHostileLoad } from "../packages/service/src/testing/hostile-load.ts";

process.once("message", async (options: HostileLoadOptions) => {
  const load = await openHostileLoad(options);
  process.on("message", async () => process.send?.((await load.run()).length));
  process.send?.("ready");
  process.once("disconnect", () => process.exit());
});
