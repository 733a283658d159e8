/** @module What `cloud tunnel` puts before a stdio server is judged by our own suite as any other server over HTTP is. */
import { runProtocol } from "@fettle/checks";
import { parseTarget } from "@fettle/mcp";
import { sampleCommand } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everythingOverStdio } from "../../../../mcp/src/testing/everything-server.ts";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

let cloud: CloudService;
beforeAll(async () => {
  cloud = await startCloudService();
});
afterAll(() => cloud?.stop());

const behind = [
  { name: "the public everything server", ...everythingOverStdio, protocolVersion: "2025-06-18" },
  { name: "the public everything server", ...everythingOverStdio, protocolVersion: "2025-11-25" },
  { name: "a server of both eras", ...sampleCommand("everything"), protocolVersion: "2025-11-25" },
  { name: "a server of both eras", ...sampleCommand("everything"), protocolVersion: "2026-07-28" },
] as const;

test.each(behind)("$name behind a tunnel fails no MUST of $protocolVersion", async (server) => {
  const { command, args, protocolVersion } = server;
  const words = ["cloud", "tunnel", "--server", "front", "--", command, ...args];
  const tunnel = spawnFettle(words, { cwd: await temporaryFolder(), env: cloud.env });
  const { url } = JSON.parse(await tunnel.firstLine);
  const report = await runProtocol(parseTarget({ url }), { protocolVersion });
  const told = report.checks.flatMap(({ id, status, error, skipReason }) =>
    status === "failed" || skipReason === "could-not-run" ? [`${status} ${id}: ${error?.message}`] : [],
  );
  tunnel.child.kill("SIGINT");
  await tunnel.exit;
  expect(told).toEqual([]);
  expect(report.outcome).toBe("passed");
});
