/**
 * Runs the everything fixture: `node packages/samples/src/everything/main.ts [--port N | --stdio]`.
 * @module
 */
import { parseArgs } from "node:util";
import { runEverything, serveEverythingOverStdio } from "./server.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, stdio: { type: "boolean" } },
});

if (values.stdio) serveEverythingOverStdio();
else console.log((await runEverything({ port: Number(values.port) })).url);
