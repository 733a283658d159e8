/** @module A result is printed when it is there: how long a server takes to leave costs the person no reading time, and little waiting. */
import { expect, test } from "vitest";
import { run } from "../run.ts";
import { testWorld } from "../testing/world.ts";

/** Answers its own process id, and leaves as its last argument says. */
const server = (leaving: string) => `
${leaving}
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "slow to leave", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "pid" + process.pid, inputSchema: { type: "object" } }] }),
  };
  if (id === undefined) return;
  const answer = results[method] ? { result: results[method]() } : { error: { code: -32601, message: "Unknown" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
})`;

const stays = "setInterval(() => {}, 1000);";

test("the result is printed while the server is still leaving", async () => {
  const { wasThere, exitCode } = await runTimed(`${stays} process.on("SIGTERM", () => {});`);
  expect({ wasThere, exitCode }).toEqual({ wasThere: true, exitCode: 0 });
});

test("a server that stays when its input ends is told to go after 100 ms", async () => {
  // The quickest of a few: another process may have the machine meanwhile.
  const taken = [];
  while (taken.length < 3) taken.push((await runTimed(stays)).leavingMs);
  expect(Math.min(...taken)).toBeLessThan(400);
});

test("a server that outstays --timeout does not take the result with it", async () => {
  const { fettle } = await testWorld();
  const script = server(`${stays} process.on("SIGTERM", () => {});`);
  const startedAt = performance.now();
  const ran = await fettle(
    "tools",
    "list",
    "--timeout",
    "5000",
    "--format",
    "json",
    "--",
    process.execPath,
    "-e",
    script,
  );
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

async function runTimed(leaving: string) {
  const world = await testWorld();
  let wasThere: boolean | undefined;
  let printedAt = 0;
  const stdout = {
    write(chunk: string) {
      printedAt ||= performance.now();
      wasThere ??= isRunning(Number(chunk.match(/pid(\d+)/)?.[1]));
    },
  };
  const argv = ["tools", "list", "--format", "json", "--", process.execPath, "-e", server(leaving)];
  const exitCode = await run(argv, { ...world, stdout });
  return { exitCode, wasThere, leavingMs: performance.now() - printedAt };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
