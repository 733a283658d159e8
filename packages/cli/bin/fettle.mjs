#!/usr/bin/env node
// Starts `fettle` from a checkout: on the Node the project brings, from the bundle when it is fresh, else from source.
// The published package has its own, bundled launcher; nothing here is shipped.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

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

const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  const own = join(root, "node_modules", ".bin", "node");
  if (!existsSync(own)) {
    console.error("fettle needs Node 24. Run `npm ci` in the checkout, which brings it, or install it.");
    process.exit(1);
  }
  const child = spawn(own, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)));
} else {
  const bundle = join(root, "dist", "fettle", "fettle.mjs");
  const useBundle = process.env.FETTLE_FROM !== "source" && isFresh(bundle);
  const { main } = await import(useBundle ? bundle : "../src/main.ts");
  await main(process.argv.slice(2));
}
