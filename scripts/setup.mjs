// Makes a fresh clone ready: installs what the lockfile names and, with --build, builds what changed.
// Runs on whatever Node started npm (20 or newer), so it is plain JavaScript with no imports of ours.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

function isInstalled() {
  // npm writes this file last, so its age tells whether the whole tree matches the lockfile.
  const marker = join(root, "node_modules", ".package-lock.json");
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

function run(command, args) {
  // stdout is kept for the program that follows (`npm start -- --format json` prints one object there).
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

if (!isInstalled()) {
  console.error("Installing dependencies (once, about a minute) ...");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}
if (process.argv.includes("--build")) {
  const local = join(root, "node_modules", ".bin", "node");
  run(existsSync(local) ? local : process.execPath, [join(root, "scripts", "build.mjs"), "--if-changed"]);
}
