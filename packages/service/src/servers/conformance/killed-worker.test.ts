import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { startBookshop } from "@fettle/samples";
import { expect, it, vi } from "vitest";
import { killableWorkers } from "../../testing/killable-workers.ts";

it("a run whose worker is killed is taken up again, and has one report of each suite", async () => {
  await using stack = new AsyncDisposableStack();
  const { bench, startWorker } = await killableWorkers(stack, 10);
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  let isSilent = true;
  let asked = 0;
  const listener = createServer((asking, answer) => {
    asked += 1;
    if (isSilent) return;
    const { method, headers } = asking;
    const passed = request(shop.url, { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    asking.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  stack.defer(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  const server = { name: "Silent", enabled: true, transportType: "http", url };
  const { body: saved } = await bench.call("POST", "/servers", server);
  const path = `/servers/${saved.id}/conformance-runs`;
  const { body } = await bench.call("POST", path, { suites: ["protocol"] });
  const run = async () => (await bench.call("GET", `/conformance-runs/${body.runId}`)).body;

  const worker = await startWorker();
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), 60_000);
  expect((await run()).status).toBe("running");
  await worker.kill("SIGKILL");
  isSilent = false;
  await startWorker();
  await vi.waitFor(async () => expect((await run()).status).toBe("completed"), 60_000);
  const counted = await bench.service.app.pool.query(
    "select count(*)::int as reports from conformance_reports where run_id = $1",
    [body.runId],
  );
  expect(counted.rows).toEqual([{ reports: 1 }]);
  const { rows } = await bench.service.app.pool.query("select claim from jobs where singleton_key = $1", [
    body.runId,
  ]);
  expect(rows).toEqual([{ claim: 2 }]);
});
