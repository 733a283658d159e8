/** @module A service with a project in it, in which suites are run. */
import { expect, vi } from "vitest";
import { type CaseWanted, saveServer, saveSuite } from "./eval-suite.ts";
import { type TestService, type TestServiceOptions, testService } from "./service.ts";
import { makeWorld, type PersonName, type World } from "./world.ts";

type SuiteOver = Omit<Parameters<typeof saveSuite>[2], "cases">;

export interface EvalBench {
  service: TestService;
  world: World;
  server: Awaited<ReturnType<typeof saveServer>>;
  call(
    method: string,
    path: string,
    body?: object,
    as?: { person?: PersonName; headers?: Record<string, string> },
  ): ReturnType<TestService["call"]>;
  suite(cases: CaseWanted[], over?: SuiteOver): ReturnType<typeof saveSuite>;
  /** The run, once it has ended. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
  ended(runId: string): Promise<any>;
}

/** Its saved server is at `url`; a suite runs on it unless it says otherwise. */
export async function evalBench(url: string, options: TestServiceOptions = {}): Promise<EvalBench> {
  const env = { FETTLE_LIMIT_KEY_BURST: "10000", FETTLE_LIMIT_EVAL_RUNS: "50", ...options.env };
  const service = await testService({ ...options, env });
  const world = await makeWorld(service.app.db);
  const server = await saveServer(world, service.app, url);
  const call: EvalBench["call"] = (method, path, body, { person = "member", headers } = {}) =>
    service.call(`/api/v1/projects/${world.projectId}${path}`, {
      method,
      key: world.people[person].key,
      ...(body && { body }),
      ...(headers && { headers }),
    });
  return {
    service,
    world,
    server,
    call,
    suite: (cases, over) => saveSuite(world, service.app, { serverIds: [server.id], ...over, cases }),
    ended: (runId) =>
      vi.waitFor(async () => {
        const { body } = await call("GET", `/eval-runs/${runId}`);
        expect(body.status).not.toMatch(/pending|running/);
        return body;
      }, 60_000),
  };
}
