/** @module `fettle work`: runs job workers apart from the API, on the same database. */
import { untilInterrupted } from "../../interrupts.ts";
import { loadService, onlyTyped } from "../../load-service.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { settleAfterStart } from "../../start-memory.ts";
import type { workFlags } from "./flags.ts";

export async function run({ flags, world, print }: Call<typeof workFlags, NoArguments>): Promise<undefined> {
  const interrupted = untilInterrupted();
  const { work, readConfig } = await loadService(world);
  const settings = { flags: onlyTyped(flags), env: world.env };
  readConfig(settings);
  print.note("Starting ...");
  const worker = await work(settings);
  print.result({
    value: { status: "working" },
    human: () => text`${style.green("✓")} ${style.bold("Working.")} ${style.dim("Ctrl-C stops it.")}`,
  });
  settleAfterStart();
  await interrupted;
  print.note("Stopping: handing back what does not end soon. Once more to stop at once.");
  await worker.stop();
}
