/** @module The sample project as `npm start` makes it, come to rest, with a code host and a server that can be made to fail. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ExampleCall } from "@fettle/contract/document";
import { startBookshop } from "@fettle/samples";
import { openSampleWorkspace } from "../../start/sample/workspace.ts";
import { startCodeHost } from "../code-host.ts";
import { readDirectories } from "../registry/inputs.ts";
import { type Answer, type TestService, testService } from "../service.ts";
import { startEngine } from "./engine.ts";

export interface SampleProject extends AsyncDisposable {
  service: TestService;
  shopUrl: string;
  key: string;
  projectId: string;
  serverId: string;
  send(call: ExampleCall): Promise<Answer>;
  /** Nothing that goes on by itself comes further while this is done. */
  whileNothingWorks<Value>(act: () => Promise<Value>): Promise<Value>;
  /** Waits until nothing goes on. */
  atRest(variables?: Record<string, string | number>): Promise<void>;
}

export async function sampleProject(): Promise<SampleProject> {
  await using stack = new AsyncDisposableStack();
  const shop = stack.adopt(await startBookshop(), (one) => one.close());
  const codeHost = stack.use(await startCodeHost());
  const engine = stack.adopt(await startEngine(), (one) => one.close());
  const env = {
    FETTLE_SANDBOX_ENGINE: engine.socket,
    FETTLE_LIMIT_KEY_BURST: "10000",
    FETTLE_LIMIT_KEY_PER_MINUTE: "100000",
    ...codeHost.env,
  };
  const service = stack.use(await testService({ env }));
  const { app } = service;
  let worker = await app.jobs.work(app);
  stack.defer(() => worker.stop());
  const { apiKey: key, projectId, serverId } = (await openSampleWorkspace(app, shop.url))!;
  await readDirectories(app);
  const send = ({ method, path, body }: ExampleCall) =>
    service.call(`/api/v1${path}`, { method, key, ...(body !== undefined && { body }) });
  const atRest = (variables = {}) => settled(send, projectId, variables);
  await atRest();
  const parts = stack.move();
  return {
    service,
    shopUrl: shop.url,
    key,
    projectId,
    serverId,
    send,
    atRest,
    whileNothingWorks: async (act) => {
      await worker.stop();
      try {
        return await act();
      } finally {
        worker = await app.jobs.work(app);
      }
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function settled(
  send: (call: ExampleCall) => Promise<Answer>,
  projectId: string,
  variables: Record<string, string | number>,
): Promise<void> {
  const get = async (path: string) => (await send({ method: "GET", path })).body;
  const at = `/projects/${projectId}`;
  for (const since = Date.now(); Date.now() - since < 300_000; await sleep(250)) {
    const runs = (await get(`${at}/eval-runs`)).items;
    const journeys = (await get(`${at}/journeys`)).items;
    const journeyRuns = await Promise.all(
      journeys.map(async ({ id }: { id: string }) => (await get(`${at}/journeys/${id}/runs`)).items[0]),
    );
    const wave = journeyRuns[0] && (await get(`${at}/journey-runs/${journeyRuns[0].id}`));
    const scenario = (await get(`${at}/scenarios`)).items[0];
    const visits = scenario && (await get(`${at}/user-testing/scenarios/${scenario.id}`));
    const readiness =
      variables.READINESS_RUN_ID && (await get(`${at}/readiness-runs/${variables.READINESS_RUN_ID}`));
    const conformance =
      variables.CONFORMANCE_RUN_ID && (await get(`${at}/conformance-runs/${variables.CONFORMANCE_RUN_ID}`));
    const open = /^(pending|queued|running|grading)$/;
    const cards = (await get(`${at}/registry/servers`)).items;
    const isDone =
      cards.length > 0 &&
      runs.length >= 2 &&
      runs.every(({ status }: { status: string }) => !open.test(status)) &&
      journeyRuns.length >= 3 &&
      journeyRuns.every((run) => run?.status === "completed") &&
      wave?.insights?.status === "completed" &&
      visits?.insights?.status === "completed" &&
      [readiness, conformance].every((run) => !run || !open.test(run.status));
    if (isDone) return;
  }
  throw new Error("The sample project did not come to rest.");
}
