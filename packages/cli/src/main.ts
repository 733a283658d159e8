/** @module The entry of the `fettle` command: this process is the world, and its exit code the answer. */
import { defaultFormat, scanFormat } from "./output/format.ts";
import { sayWhenUnwritable } from "./output/unwritable.ts";
import { run } from "./run.ts";
import { processWorld } from "./world.ts";

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = 0;
  const format = scanFormat(argv) ?? defaultFormat(process.stdout.isTTY === true);
  sayWhenUnwritable({ asJson: format === "json" });
  process.exitCode = await run(argv, processWorld());
  setTimeout(endWhenSaid, lingerMs).unref();
}

/** Long enough for sockets to close by themselves. */
const lingerMs = 300;

/** The work is done. What still keeps the process alive is a connection nobody waits for, unless a slow reader is behind. */
function endWhenSaid(): void {
  if (process.stdout.writableLength > 0) setTimeout(endWhenSaid, lingerMs);
  else process.exit();
}
