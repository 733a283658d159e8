/** @module What `cloud eval run` does when it is turned away, and when the service is away: nothing is left half done, and nothing is given up early. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { ask, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";
import { testWorld } from "../../../testing/world.ts";

let service: CloudService;
beforeAll(async () => {
  service = await startCloudService({ FETTLE_LIMIT_EVAL_RUNS: "1" });
});
afterAll(() => service?.stop());

const runFile = (stdin: string, ...argv: string[]) =>
  service.cloud(["eval", "run", "--file", "-", ...argv], { stdin });
const declared = async () =>
  (await service.cloud(["eval", "list"])).body.items.map(
    ({ declaredId }: { declaredId?: string }) => declaredId,
  );
const status = (runId: string, word: string) =>
  service.sql(`update eval_runs set status = '${word}' where id = '${runId}'`);

test("a launch that is refused leaves no suite behind that it made, and keeps one that was there", async () => {
  const unknown = suiteOf({ id: "s_refused" }).replace("fettle/rules-1", "openai/gpt-4o");
  const refused = await runFile(unknown, "--wait");
  expect([refused.exitCode, refused.body.message]).toEqual([2, expect.stringContaining("openai")]);
  expect(await declared()).not.toContain("s_refused");
  expect((await runFile(suiteOf({ id: "s_refused" }), "--wait")).exitCode).toBe(0);
  expect((await runFile(unknown, "--wait")).exitCode).toBe(2);
  expect(await declared()).toContain("s_refused");
});

test("a case that is refused takes its new suite with it", async () => {
  const huge = oneCase(
    "c_huge",
    ask("list_orders"),
    `, expectedOutput: ${"x".repeat(limits.evals.caseBytes)}`,
  );
  const { exitCode, body } = await runFile(suiteOf({ id: "s_half", cases: [oneCase("c"), huge] }), "--wait");
  expect([exitCode, body.code, body.details.failed.length]).toEqual([2, "CASE_SYNC_FAILED", 1]);
  expect(await declared()).not.toContain("s_half");
});

test("with --wait a launch waits for a place among the runs, and says so", async () => {
  const { body } = await runFile(suiteOf({ id: "s_first" }), "--wait");
  await status(body.launch.runId, "running");
  let told = "";
  const world = await testWorld({
    env: service.env,
    stdin: suiteOf({ id: "s_second" }),
    onStderr(chunk) {
      told += chunk;
      if (told.includes("is tried again")) void status(body.launch.runId, "completed");
    },
  });
  // One request has less patience than the service asks for.
  const ran = await world.fettle("cloud", "eval", "run", "--file", "-", "--wait", "--timeout", "1000");
  expect([ran.exitCode, JSON.parse(ran.stdout).runs[0].result]).toEqual([0, "passed"]);
  expect(told).toContain("As many eval runs are under way");
});

test("a service that is away while its run is watched and read is waited for", async () => {
  await using gate = await startGate(service.service.url);
  const world = await testWorld({
    env: { ...service.env, FETTLE_API_URL: gate.url },
    stdin: suiteOf({ id: "s_watched" }),
  });
  const ran = await world.fettle("cloud", "eval", "run", "--file", "-", "--wait", "--quiet");
  expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
  expect(JSON.parse(ran.stdout).runs[0].result).toBe("passed");
  expect(gate.lost).toEqual({ run: 7, iterations: 2 });
});

/** Stands before the service, and hangs up on those who ask for a run for a while, then on those who ask for its repetitions. */
async function startGate(target: string) {
  const lost = { run: 0, iterations: 0 };
  const server = createServer((asked, answer) => {
    const path = asked.url ?? "";
    const part = path.includes("/iterations") ? "iterations" : /eval-runs\/run_\w+$/.test(path) ? "run" : "";
    if (part && lost[part] < { run: 7, iterations: 2 }[part]) {
      lost[part] += 1;
      return void asked.socket.destroy();
    }
    const { method, headers } = asked;
    const onward = request(new URL(path, target), { ...(method && { method }), headers }, (told) => {
      answer.writeHead(told.statusCode ?? 0, told.headers);
      told.pipe(answer);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  };
}
