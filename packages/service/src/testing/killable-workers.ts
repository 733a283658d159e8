/** @module A run whose workers are processes of their own, to be killed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "./database.ts";
import { type EvalBench, evalBench } from "./eval-bench.ts";
import { type EvalStub, startEvalStub } from "./eval-stub.ts";
import { startProcess, type TestProcess } from "./process.ts";

/** So soon another worker takes up what a killed one held. */
const leaseMs = 1_500;
const script = join(import.meta.dirname, "app-worker.ts");

export interface KillableWorkers {
  database: TestDatabase;
  stub: EvalStub;
  bench: EvalBench;
  startWorker(): Promise<TestProcess>;
}

/** All of it is gone with `stack`. `modelTurns`: how many messages one launch may come to. */
export async function killableWorkers(
  stack: AsyncDisposableStack,
  modelTurns: number,
): Promise<KillableWorkers> {
  const database = await testDatabase();
  stack.defer(() => database.close());
  const stub = stack.use(await startEvalStub());
  const secret = { FETTLE_SECRET_KEY: "k".repeat(40) };
  const env = { ...stub.env, ...secret, FETTLE_LIMIT_EVAL_MODEL_TURNS: String(modelTurns) };
  const bench = await evalBench(stub.url, { env, database });
  stack.defer(() => bench.service.close());
  const home = mkdtempSync(join(tmpdir(), "fettle-worker-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const startWorker = async () => {
    const worker = startProcess(script, [String(leaseMs)], {
      env: { ...env, FETTLE_HOME: home, DATABASE_URL: database.url.reveal() },
    });
    stack.defer(() => worker.kill());
    await worker.line(/^ready$/);
    return worker;
  };
  return { database, stub, bench, startWorker };
}
