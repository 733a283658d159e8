/** @module What browsers are not sent: what each page reads, which is for those who test it, and the routes and commands of operations that no page calls. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { isPages } from "./chunks.ts";

const sources = join(import.meta.dirname, "..");
const isTable = (id: string) => /\/generated\/operation-(routes|commands)\.ts$/.test(id);
const withoutReads = (code: string) => code.replace(/\breads: \[[^\]]*\],/g, "");

export function leaveOut(): Plugin {
  return {
    name: "fettle-leave-out",
    enforce: "pre",
    transform: (code, id) => {
      if (isPages(id)) return { code: withoutReads(code), map: null };
      return isTable(id) ? { code: calledRows(code), map: null } : undefined;
    },
  };
}

/** An operation is called by its name: one that no source names is called by none. */
function calledRows(code: string): string {
  const files = globSync("**/*.{ts,tsx}", { cwd: sources, exclude: ["testing/**", "**/*.test.ts"] });
  const named = new Set(
    files.flatMap((file) => withoutReads(readFileSync(join(sources, file), "utf8")).match(/\w+/g) ?? []),
  );
  return code.replace(/^ *(\w+): ".*",\n/gm, (row, name) => (named.has(name) ? row : ""));
}
