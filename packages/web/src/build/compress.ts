/** @module Writes each script and style sheet a second and third time, compressed as well as it can be, so that serving costs nothing. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { must } from "@fettle/contract/formats";
import type { Plugin } from "vite";

export function compressAssets(): Plugin {
  return {
    name: "fettle-compress",
    apply: "build",
    writeBundle({ dir }) {
      const folder = join(must(dir, "a folder that is written to"), "assets");
      for (const name of readdirSync(folder).filter((file) => /\.(js|css)$/.test(file))) {
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
