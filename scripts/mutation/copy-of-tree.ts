/** @module A copy of the checkout in which faults are planted, so that what people work on is never touched. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies the files that git knows or would take, and links what is installed. The packages among that lead into the copy. */
export function copyTree(root: string, to: string): void {
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) throw new Error(`git could not list the files: ${listed.stderr}`);
  for (const file of listed.stdout
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
  const modules = join(to, "node_modules");
  mkdirSync(join(modules, "@fettle"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@fettle" && name !== "fettle" && name !== ".vite")
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  for (const name of readdirSync(join(to, "packages"))) {
    symlinkSync(
      join(to, "packages", name),
      name === "cli" ? join(modules, "fettle") : join(modules, "@fettle", name),
    );
    const nested = join(root, "packages", name, "node_modules");
    if (existsSync(nested)) symlinkSync(nested, join(to, "packages", name, "node_modules"));
  }
}
