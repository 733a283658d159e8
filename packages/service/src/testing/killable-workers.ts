/** @module A service whose workers, and whose like, are processes of their own, to be killed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "./database.ts";
import { type EvalBench, evalBench } from "./eval-bench.ts";
import { type EvalStub, startEvalStub } from "./eval-stub.ts";
import { startProcess, type TestProcess } from "./process.ts";

/** So soon another worker takes up what a killed one held. */
const leaseMs = 1_500;
const scriptOf = (name: string) => join(import.meta.dirname, `${name}.ts`);

export interface KillableWorkers {
  database: TestDatabase;
  stub: EvalStub;
  bench: EvalBench;
  startWorker(): Promise<TestProcess>;
  /** Another service on the same database; `url` is where it listens. */
  startService(): Promise<TestProcess & { url: string }>;
}

/** All of it is gone with `stack`. `modelTurns`: how many messages one launch may come to. */
export async function killableWorkers(
  stack: AsyncDisposableStack,
  modelTurns: number,
): Promise<KillableWorkers> {
  const database = await testDatabase();
  stack.defer(() => database.close());
  const stub = stack.use(await startEvalStub());
  const env = {
    ...stub.env,
    FETTLE_SECRET_KEY: "k".repeat(40),
    FETTLE_LIMIT_KEY_BURST: "10000",
    FETTLE_LIMIT_EVAL_MODEL_TURNS: String(modelTurns),
  };
  const bench = await evalBench(stub.url, { env, database });
  stack.defer(() => bench.service.close());
  const home = mkdtempSync(join(tmpdir(), "fettle-worker-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const start = (name: string, args: string[] = []) => {
    const started = startProcess(scriptOf(name), args, {
      env: { ...env, FETTLE_HOME: home, FETTLE_PORT: "0", DATABASE_URL: database.url.reveal() },
    });
    stack.defer(() => started.kill());
    return started;
  };
  const startWorker = async () => {
    const worker = start("app-worker", [String(leaseMs)]);
    await worker.line(/^ready$/);
    return worker;
  };
  const startService = async () => {
    const service = start("app-server");
    return { ...service, url: await service.line(/^http/) };
  };
  return { database, stub, bench, startWorker, startService };
}
