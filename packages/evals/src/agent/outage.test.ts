import type { AddressInfo } from "node:net";
import { createServer, connect as dial, type Socket } from "node:net";
import { parseTarget } from "@fettle/mcp";
import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "./agent.ts";
import { openServers, type ServerBinding } from "./servers.ts";
import { call, scriptedModel } from "./testing/scripted-model.ts";
import { said, startTinyServer } from "./testing/tiny-server.ts";
import { toolErrorsOf } from "./trace.ts";

/** What stands between a client and a server: it forwards until it is told to break. */
async function startCable(port: number) {
  const sockets = new Set<Socket>();
  let isDead = false;
  const server = createServer((near) => {
    const far = dial(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (chunk) => {
        if (!isDead) to.write(chunk);
      });
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(cut);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    cut,
    /** Packets vanish; nobody is told. */
    swallow: () => {
      isDead = true;
    },
  };
}

const dying = (how: string) => `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const answer = (fields) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...fields }));
    if (method === "initialize")
      answer({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "d", version: "1" } } });
    else if (method === "tools/list") answer({ result: { tools: [{ name: "it", inputSchema: { type: "object" } }] } });
    else if (method === "tools/call") ${how};
    else if (id !== undefined) answer({ error: { code: -32601, message: "no" } });
  });`;

const asProcess = (how: string) => async (): Promise<ServerBinding> => ({
  name: "it",
  target: parseTarget({ command: process.execPath, args: ["-e", dying(how)] }),
});

const overCable = (fault: "cut" | "swallow") => async (): Promise<ServerBinding> => {
  const broken: { now?: () => void } = {};
  const server = await startTinyServer("it", {
    it: {
      run: () => {
        broken.now?.();
        return said("too late");
      },
    },
  });
  onTestFinished(() => server.kill());
  const cable = await startCable(Number(new URL(server.url).port));
  broken.now = cable[fault];
  return { name: "it", target: parseTarget({ url: cable.url }) };
};

test.each<[what: string, start: () => Promise<ServerBinding>]>([
  ["a process that is killed", asProcess('process.kill(process.pid, "SIGKILL")')],
  ["a process that is asked to end", asProcess('process.kill(process.pid, "SIGTERM")')],
  ["a process that crashes", asProcess("process.exit(1)")],
  ["a process that stands still", asProcess('process.kill(process.pid, "SIGSTOP")')],
  ["a network that is cut", overCable("cut")],
  ["a network that swallows everything", overCable("swallow")],
])("%s in the middle of a call is an outage: no verdict, no tool error", async (_, start) => {
  const servers = await openServers([await start()]);
  onTestFinished(() => servers.close());
  const model = scriptedModel([[call("it")], "I am done."]);
  const agent = createAgent({ model, servers: servers.links, limits: { callMs: 1_000 } });
  expect(await agent.prompt("go")).toMatchObject({ stop: "server_lost" });
  expect(agent.trace).toMatchObject({
    exclusion: "executionFailed",
    faults: [{ owner: "infrastructure", server: "it", toolName: "it" }],
  });
  expect(toolErrorsOf(agent.trace)).toEqual([]);
  expect(model.requests).toHaveLength(1);
});
