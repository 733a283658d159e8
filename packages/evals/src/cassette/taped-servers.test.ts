import { expect, test } from "vitest";
import { canaries } from "../../../contract/src/secrets/testing/canaries.ts";
import { openServers } from "../agent/servers.ts";
import { startTinyServer } from "../agent/testing/tiny-server.ts";
import { cleaner } from "./clean-recording.ts";
import { recordServers, type ServerRecording } from "./taped-servers.ts";

test("no kind of credential that a tool says or offers is written down", async () => {
  const words = canaries.map(({ said }) => said).join("\n");
  await using server = await startTinyServer("leaky", {
    leak: {
      description: `Leaks. ${words}`,
      run: () => ({
        content: [{ type: "text", text: words }],
        structuredContent: {
          env: { SHOP_SECRET: "plain-canary-1", region: "eu" },
          cookie: ["plain-canary-2"],
        },
      }),
    },
  });
  const signal = AbortSignal.timeout(20_000);
  await using servers = await openServers([server.binding], signal);
  const into: ServerRecording = { servers: [], calls: [] };
  const [link] = recordServers(into, servers.links, 1, cleaner({}));
  const result = await link!.connection.callTool("leak", {}, { signal });
  // Whoever called has it whole; what is kept of it has none.
  expect(JSON.stringify(result)).toContain("plain-canary-1");
  const kept = JSON.stringify(into);
  expect(kept).toContain('"region":"eu"');
  const secrets = [...canaries.map(({ secret }) => secret), "plain-canary-1", "plain-canary-2"];
  expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
});
