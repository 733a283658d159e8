/**
 * @module Writes each script and style sheet a second time, compressed as well as it can be, so that serving costs nothing. For the few
 * clients that cannot read Brotli, the service compresses as it sends.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { must } from "@fettle/contract/formats";
import type { Plugin } from "vite";

const brotli = promisify(brotliCompress);

export function compressAssets(): Plugin {
  return {
    name: "fettle-compress",
    apply: "build",
    async writeBundle({ dir }) {
      const folder = join(must(dir, "a folder that is written to"), "assets");
      const names = (await readdir(folder)).filter((file) => /\.(js|css)$/.test(file));
      // At once, so that every core takes part.
      await Promise.all(
        names.map(async (name) => {
          const packed = await brotli(await readFile(join(folder, name)));
          await writeFile(join(folder, `${name}.br`), packed);
        }),
      );
    },
  };
}
