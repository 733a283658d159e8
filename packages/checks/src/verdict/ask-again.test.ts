/** @module A list that failed once is asked for again by every judge: the second answer stands, and the first is nobody's verdict. */
import { connect, McpError, parseTarget, type Target } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { appsClientCapabilities, runApps } from "../apps/run-apps.ts";
import { observeCompat } from "../compat/observe-compat.ts";
import { doctor } from "../diagnostics/doctor.ts";
import { runProtocol } from "../protocol/run-protocol.ts";
import {
  type Fault,
  type ProxiedRequest,
  type Reply,
  startFaultyProxy,
} from "../protocol/testing/faulty-proxy.ts";
import { readSurface } from "../surface/surface.ts";
import { runTasks } from "../tasks/run-tasks.ts";
import { askAgain } from "./ask-again.ts";

const protocolVersion = "2025-11-25";
let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

/** The first tools/list of every session goes wrong in this way. */
function failingOnce(instead: (request: ProxiedRequest) => Reply): Fault {
  const met = new Set<string>();
  const isFirst = (session: string) => met.size < met.add(session).size;
  return {
    answer: (request) =>
      request.body?.method === "tools/list" && isFirst(String(request.headers["mcp-session-id"]))
        ? instead(request)
        : undefined,
  };
}

const faults: [string, (request: ProxiedRequest) => Reply][] = [
  [
    "an internal error",
    ({ body }) => ({
      status: 200,
      body: { jsonrpc: "2.0", id: body?.id, error: { code: -32603, message: "The shelf is being dusted" } },
    }),
  ],
  ["a gateway's page", () => ({ status: 502, body: "Bad Gateway" })],
  [
    "a dropped connection",
    () => {
      throw new Error("The proxy drops a request that it cannot serve.");
    },
  ],
];

/** What each judge has to say against the server. */
const judges: [string, (target: Target) => Promise<unknown[]>][] = [
  [
    "protocol",
    async (target) => against(await runProtocol(target, { protocolVersion, categories: ["tools"] })),
  ],
  [
    "tasks",
    async (target) => against(await runTasks(target, { protocolVersion, checkIds: ["tasks-ttl-shape"] })),
  ],
  [
    "apps",
    async (target) => {
      await using connection = await connect(target, {
        protocolVersion,
        capabilities: appsClientCapabilities,
      });
      return against(await runApps(target, connection));
    },
  ],
  [
    "compat",
    async (target) => {
      await using connection = await connect(target, { protocolVersion });
      const { tools } = await observeCompat(connection, {
        target,
        versions: [],
        connectAt: () => connect(target, { protocolVersion }),
      });
      return "fault" in tools ? [tools.fault] : [];
    },
  ],
  [
    "doctor",
    async (target) => {
      const { checks } = await doctor(target, { protocolVersion });
      return checks.tools.status === "ok" ? [] : [checks.tools];
    },
  ],
  [
    "surface",
    async (target) => {
      await using connection = await connect(target, { protocolVersion });
      return await readSurface(connection).then(
        () => [],
        (error: unknown) => [error],
      );
    },
  ],
];

function against({ checks }: Awaited<ReturnType<typeof runProtocol | typeof runApps | typeof runTasks>>) {
  return checks
    .filter(({ status, skipReason }) => status === "failed" || skipReason === "could-not-run")
    .map(({ id, error }) => ({ id, error }));
}

describe.each(faults)("%s in the place of a first list", (_fault, instead) => {
  test.each(judges)("is nothing to %s", async (_judge, judge) => {
    const proxy = await startFaultyProxy(everything.url, failingOnce(instead));
    onTestFinished(() => proxy.close());
    expect(await judge(parseTarget({ url: proxy.url }))).toEqual([]);
  });
});

test.each<[string, unknown, number]>([
  ["a connection that was cut off", new McpError("CONNECTION_RESET", "x"), 2],
  ["an internal error", new McpError("RPC_ERROR", "x", { details: { rpcCode: -32603 } }), 2],
  ["a server error", new McpError("HTTP_STATUS", "x", { details: { status: 500 } }), 2],
  ["a refusal", new McpError("HTTP_STATUS", "x", { details: { status: 499 } }), 1],
  ["a status that is not known", new McpError("HTTP_STATUS", "x"), 1],
  ["wrong arguments", new McpError("RPC_ERROR", "x", { details: { rpcCode: -32602 } }), 1],
  ["silence", new McpError("TIMEOUT", "x"), 1],
  ["a fault of our own", new TypeError("x"), 1],
])("after %s it is asked as often as that helps", async (_, error, times) => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    throw error;
  };
  await expect(askAgain(ask)).rejects.toBe(error);
  expect(asked).toBe(times);
});
