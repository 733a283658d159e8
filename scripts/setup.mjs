// Makes a fresh clone ready: installs what the lockfile names and, with --build, builds what changed. With --run it installs and
// builds only what running takes, without the tools of checks and tests. Runs on whatever Node started npm (20 or newer), so it
// is plain JavaScript with no imports of ours.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const toRun = process.argv.includes("--run");

if (!isInstalled()) {
  const startedAt = Date.now();
  console.error(`Installing ${toRun ? "what running takes" : "dependencies"} (once) ...`);
  // The second adds to what stands there, which a service that runs goes on using; the first would remove it.
  const words = isCurrent() ? ["install", "--no-save"] : ["ci"];
  // Whoever tests here keeps the tools for it.
  if (toRun && !hasSomeTools()) words.push("--omit=dev");
  run("npm", [...words, "--no-audit", "--no-fund", "--loglevel=error"]);
  console.error(`Installed (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
}
if (toRun || process.argv.includes("--build")) {
  const local = join(root, "node_modules", ".bin", "node");
  run(existsSync(local) ? local : process.execPath, [join(root, "scripts", "build.mjs"), "--if-changed"]);
}

function isInstalled() {
  return isCurrent() && (toRun || hasTools());
}

function isCurrent() {
  // npm writes this file last, so its age tells whether what is installed matches the lockfile.
  const marker = join(root, "node_modules", ".package-lock.json");
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

/** `npm start` leaves them out. */
function hasTools() {
  const installed = installedPackages();
  return tools().every((path) => path in installed);
}

function hasSomeTools() {
  const installed = installedPackages();
  return tools().some((path) => path in installed);
}

function tools() {
  const { packages } = readJson("package-lock.json");
  return Object.keys(packages).filter((path) => packages[path].dev && !packages[path].optional);
}

function installedPackages() {
  const list = join("node_modules", ".package-lock.json");
  return existsSync(join(root, list)) ? readJson(list).packages : {};
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
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
