// An esbuild plugin: leaves out of the bundle what a package loads for a feature of its own that Fettle does not use.

/** Each with the names that are taken from it, which fail when they are called after all. */
const unused = {
  // Lists a folder's files when static routes are registered; the service registers its own.
  glob: ["glob"],
  // Compile schemas of routes; `createServer` refuses those.
  "@fastify/ajv-compiler": [],
  "@fastify/fast-json-stringify-compiler": [],
  // Of Node itself, for servers that speak HTTP/2; nobody else loads it.
  "node:http2": [],
};

export const leftOut = {
  name: "left-out",
  setup(build) {
    const filter = new RegExp(`^(?:${Object.keys(unused).join("|")})$`);
    build.onResolve({ filter }, ({ path }) => ({ path, namespace: "left-out" }));
    build.onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
      contents: [
        `const refuse = () => { throw new Error(${JSON.stringify(`${path} is not in this build.`)}); };`,
        "module.exports = refuse;",
        ...unused[path].map((name) => `module.exports.${name} = refuse;`),
      ].join("\n"),
    }));
  },
};
