/**
 * Runs one hostile server: `node packages/samples/src/hostile/main.ts NAME [--port N]`, over stdio unless given a port.
 * @module
 */
import { parseArgs } from "node:util";
import { runHostile } from "./over-http.ts";
import { serveHostileOverStdio } from "./over-stdio.ts";
import { findHostile } from "./registry.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: "string" } } });
const [name = ""] = positionals;

if (values.port === undefined) serveHostileOverStdio(findHostile(name, "stdio"));
else console.log((await runHostile(findHostile(name, "http"), { port: Number(values.port) })).url);
