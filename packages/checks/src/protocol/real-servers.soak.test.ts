/** @module The protocol suite on other people's servers: nothing fails that the specification does not demand. `docs/conformance-real-servers.md` lists what remains. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseTarget, type Target } from "@fettle/mcp";
import { expect, onTestFinished, test } from "vitest";
import { runProtocol } from "./run-protocol.ts";
import {
  installRealServers,
  realServerCommand,
  realServers,
  startRealServer,
} from "./testing/real-servers.ts";

const unreachable = await installRealServers();
if (unreachable !== undefined) {
  console.warn(`SKIPPED: other people's servers could not be installed. ${unreachable}`);
}

const listed = await readFile(
  join(import.meta.dirname, "../../../../docs/conformance-real-servers.md"),
  "utf8",
);

/** Fails only what is listed for this name, each by a MUST or the schema. */
async function judge(target: Target, listedAs: string): Promise<void> {
  const { checks } = await runProtocol(target, { callReadOnly: true, checkTimeoutMs: 30_000 });
  expect(checks.filter(({ status }) => status === "passed").length).toBeGreaterThan(10);
  const failed = checks.filter(({ status }) => status === "failed");
  expect(failed.map(({ rule }) => rule?.word).filter((word) => word !== "MUST" && word !== "schema")).toEqual(
    [],
  );
  const unlisted = failed.filter(({ id }) => !listed.includes(`| ${listedAs} | \`${id}\` |`));
  expect(unlisted.map(({ id, error }) => [id, error?.message])).toEqual([]);
}

test.skipIf(unreachable !== undefined).each(Object.entries(realServers))(
  "%s fails only what is listed, each by a MUST or the schema",
  { timeout: 180_000 },
  async (name, server) => judge(parseTarget(await realServerCommand(server)), `${name} ${server.version}`),
);

test.skipIf(unreachable !== undefined).each(Object.entries(realServers).filter(([, { http }]) => http))(
  "%s over HTTP fails only what is listed, each by a MUST or the schema",
  { timeout: 180_000 },
  async (name, server) => {
    const { url, close } = await startRealServer(server);
    onTestFinished(close);
    await judge(parseTarget({ url }), `${name} ${server.version}, HTTP`);
  },
);
