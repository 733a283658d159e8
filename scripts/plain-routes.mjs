// An esbuild plugin: the router makes a function out of a text for each piece of each path. Five hundred are compiled at every
// start, and no cache keeps them; comparing the piece itself needs none.
import { readFile } from "node:fs/promises";

const compiled = /return new Function\('path', 'i', `[^\n]*\n/;

export const plainRoutes = {
  name: "plain-routes",
  setup(build) {
    build.onLoad({ filter: /[\\/]find-my-way[\\/]lib[\\/]node\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!compiled.test(source)) throw new Error(`${path} has changed: see scripts/plain-routes.mjs.`);
      return { contents: source.replace(compiled, "return (path, i) => path.startsWith(prefix, i);\n") };
    });
  },
};
