/**
 * Runs a server of one era only: `node packages/samples/src/one-era/main.ts legacy-sse|stateless [--port N | --stdio]`.
 * @module
 */
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string", default: "0" }, stdio: { type: "boolean" } },
});
const options = { port: Number(values.port) };

if (positionals[0] === "legacy-sse") {
  const { runLegacySse } = await import("./legacy-sse.ts");
  console.log((await runLegacySse(options)).url);
} else if (positionals[0] === "stateless") {
  const { runStateless, serveStatelessOverStdio } = await import("./stateless.ts");
  if (values.stdio) serveStatelessOverStdio();
  else console.log((await runStateless(options)).url);
} else {
  console.error("Say which server to run: legacy-sse or stateless.");
  process.exitCode = 2;
}
