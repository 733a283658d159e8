import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("brings no validator into a page, and stays small", async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { ApiError, exitCodes, limits, organizationRoles } from "./core/index.ts";
        export { createAppClient, createClient } from "./client/index.ts";`,
      resolveDir: new URL("..", import.meta.url).pathname,
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  expect(used.map(([file]) => file).filter((file) => file.includes("zod"))).toEqual([]);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(9.5 * 1024);
});
