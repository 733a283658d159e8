/** @module `fettle inspector serve`: runs the inspector until it is stopped. */

import { usageError } from "../../cli-error.ts";
import { stateFolder } from "../../files/home.ts";
import { untilInterrupted } from "../../interrupts.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { inspectorServeFlags } from "./flags.ts";

export async function run({
  flags,
  world,
  print,
}: Call<typeof inspectorServeFlags, NoArguments>): Promise<undefined> {
  const interrupted = untilInterrupted();
  const port = flags.port === undefined ? undefined : Number(flags.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw usageError(`"${flags.port}" is no port.`);
  }
  const { startInspector } = await import("@fettle/service/inspector");
  const inspector = await startInspector({ home: stateFolder(world), ...(port !== undefined && { port }) });
  const { url } = inspector;
  const isRead = world.stdout.isTTY === true;
  print.result({
    value: { url },
    // A page's address lets somebody in, so it goes to a person and into no log.
    human: () =>
      isRead
        ? text`${style.green("✓")} ${style.bold("The inspector is open at")} ${style.cyan(inspector.pageUrl())} ${style.dim("(works once)")}`
        : text`The inspector answers at ${url}`,
  });
  await Promise.race([interrupted, inspector.ended]);
  await inspector.stop();
}
