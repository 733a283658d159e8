/** @module The entry of the `fettle` command: this process is the world, and its exit code the answer. */
import { run } from "./run.ts";
import { processWorld } from "./world.ts";

export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = 0;
  // A reader that has seen enough (`fettle … | head`) closes the pipe; that is no failure of ours.
  process.stdout.on("error", ignoreClosedPipe);
  process.exitCode = await run(argv, processWorld());
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
