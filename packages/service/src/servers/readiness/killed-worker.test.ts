import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { killableWorkers } from "../../testing/killable-workers.ts";

it("a run whose worker is killed is taken up again, and has one report", async () => {
  await using stack = new AsyncDisposableStack();
  const { bench, startWorker } = await killableWorkers(stack, 10);
  let isSilent = true;
  let asked = 0;
  const listener = createServer((_request, response) => {
    asked += 1;
    if (!isSilent) response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  stack.defer(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  const server = { name: "Silent", enabled: true, transportType: "http", url };
  const { body: saved } = await bench.call("POST", "/servers", server);
  const { body } = await bench.call("POST", `/servers/${saved.id}/readiness-runs/claude`, {});
  const run = async () => (await bench.call("GET", `/readiness-runs/${body.runId}`)).body;

  const worker = await startWorker();
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), 60_000);
  expect(await run()).toMatchObject({ status: "running", attemptCount: 1 });
  await worker.kill("SIGKILL");
  isSilent = false;
  await startWorker();
  await vi.waitFor(async () => expect((await run()).status).toBe("completed"), 60_000);
  expect(await run()).toMatchObject({ attemptCount: 2, overallStatus: "not-ready", hasReport: true });
  const { status, body: report } = await bench.call("GET", `/readiness-runs/${body.runId}/report`);
  expect([status, report.runId]).toEqual([200, body.runId]);
});
