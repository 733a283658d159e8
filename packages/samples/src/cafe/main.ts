/**
 * Runs the café: `node packages/samples/src/cafe/main.ts [--port N | --stdio]`.
 * @module
 */
import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createCafeServer, runCafe } from "./server.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, stdio: { type: "boolean" } },
});

if (values.stdio) serveStdio(createCafeServer);
else console.log((await runCafe({ port: Number(values.port) })).url);
