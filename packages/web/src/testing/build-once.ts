/** @module Before browser tests: builds what changed, so that they never look at yesterday's pages. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../../..");

export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, "scripts/build.mjs"), "--if-changed"]);
  // Each of the hundreds of commands that tests start would look at every source once more, which costs as much as a short command.
  process.env.FETTLE_FROM ??= "bundle";
}
