/** @module Puts this Node and a public MCP server, with all it needs, into the files of a base image. */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const installed = join(import.meta.dirname, "..", "..", "..", "..", "..", "node_modules");

/** Afterwards `node /app/node_modules/NAME/…` runs there. */
export function addNodePackage(root: string, name: string): void {
  addNode(root);
  const copied = new Set<string>();
  const add = (wanted: string, from: string) => {
    const found = [join(from, "node_modules", wanted), join(installed, wanted)].find((path) =>
      existsSync(path),
    );
    if (!found || copied.has(found)) return;
    copied.add(found);
    cpSync(found, join(root, "app", "node_modules", found.slice(installed.length + 1)), { recursive: true });
    const { dependencies = {} } = JSON.parse(readFileSync(join(found, "package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) add(dependency, found);
  };
  add(name, installed);
}

/** With the libraries that it is linked to, at their own places. */
function addNode(root: string): void {
  const libraries = execFileSync("ldd", [process.execPath], { encoding: "utf8" }).match(/\/\S+/g) ?? [];
  for (const [from, to] of [...libraries.map((path) => [path, path]), [process.execPath, "/bin/node"]]) {
    mkdirSync(join(root, dirname(to!)), { recursive: true });
    copyFileSync(from!, join(root, to!));
  }
}
