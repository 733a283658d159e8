/**
 * Runs the everything fixture: `node packages/samples/src/everything/main.ts [--port N | --stdio]`.
 * @module
 */
import { enableCompileCache } from "node:module";
import { parseArgs } from "node:util";

// Tests start hundreds of them: a start that finds its code compiled costs half. So the rest is loaded after this.
enableCompileCache();
const { runEverything, serveEverythingOverStdio } = await import("./server.ts");

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, stdio: { type: "boolean" } },
});

if (values.stdio) serveEverythingOverStdio();
else console.log((await runEverything({ port: Number(values.port) })).url);
