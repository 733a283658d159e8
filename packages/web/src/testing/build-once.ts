/** @module Before browser tests: builds what changed, so that they never look at yesterday's pages. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../../..");

export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, "scripts/build.mjs"), "--if-changed"]);
}
