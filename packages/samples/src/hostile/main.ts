/**
 * Runs one hostile server: `node packages/samples/src/hostile/main.ts NAME [--port N]`, over stdio unless given a port.
 * @module
 */
import { enableCompileCache } from "node:module";
import { parseArgs } from "node:util";

// Tests start hundreds of them: a start that finds its code compiled costs half. So the rest is loaded after this.
enableCompileCache();
const { findHostile } = await import("./registry.ts");

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: "string" } } });
const [name = ""] = positionals;

if (values.port === undefined) {
  const { serveHostileOverStdio } = await import("./over-stdio.ts");
  serveHostileOverStdio(findHostile(name, "stdio"));
} else {
  const { runHostile } = await import("./over-http.ts");
  console.log((await runHostile(findHostile(name, "http"), { port: Number(values.port) })).url);
}
