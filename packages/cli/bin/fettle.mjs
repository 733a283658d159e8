#!/usr/bin/env node
// Starts `fettle` from a checkout: on the Node the project brings, from the bundle when it is fresh, else from source.
// The published package has its own, bundled launcher; nothing here is shipped.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithParent } from "./end-with-parent.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const built = join(root, "dist", "fettle");
const argv = process.argv.slice(2);
const launcherVariable = "FETTLE_LAUNCHER_PID";

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  const manifest = readFileSync(join(root, "packages", "cli", "package.json"), "utf8");
  console.log(JSON.parse(manifest).version);
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  await runOnOwnNode();
} else {
  endWithParent(Number(process.env[launcherVariable]));
  // For this process alone, not for those it starts.
  delete process.env[launcherVariable];
  const from = process.env.FETTLE_FROM;
  const useBundle = from === "bundle" || (from !== "source" && isFresh(join(built, "fettle.mjs")));
  const { main } = await import(useBundle ? await builtProgram() : "../src/main.ts");
  await main(argv);
}

async function builtProgram() {
  const { builtProgramOf } = await import(join(built, "built-programs.mjs"));
  return join(built, builtProgramOf(argv));
}

/** True when no source file is newer than the bundle; a stale bundle would show yesterday's behaviour. */
function isFresh(bundle) {
  if (!existsSync(bundle)) return false;
  const builtAt = statSync(bundle).mtimeMs;
  const isOlder = (folder) =>
    readdirSync(folder, { withFileTypes: true }).every((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isOlder(path);
      return entry.name.endsWith(".test.ts") || statSync(path).mtimeMs <= builtAt;
    });
  return readdirSync(join(root, "packages")).every((name) => {
    const source = join(root, "packages", name, "src");
    return name === "web" || !existsSync(source) || isOlder(source);
  });
}

async function runOnOwnNode() {
  const own = join(root, "node_modules", ".bin", "node");
  if (!existsSync(own)) {
    console.error("fettle needs Node 24. Run `npm ci` in the checkout, which brings it, or install it.");
    process.exit(1);
  }
  const { spawn } = await import("node:child_process");
  const env = { ...process.env, [launcherVariable]: String(process.pid) };
  endWithParent();
  const child = spawn(own, process.argv.slice(1), { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)));
}
