/** @module Every bench there is. Add yours here. */
import { cliBench } from "./cli.ts";
import { conformanceBench } from "./conformance.ts";
import { crowdBench } from "./crowd.ts";
import { evalRunsBench } from "./eval-runs.ts";
import { evalsBench } from "./evals.ts";
import { hostileBench } from "./hostile.ts";
import { httpBench } from "./http.ts";
import { insightsBench } from "./insights.ts";
import { inspectorBench } from "./inspector.ts";
import { jobsBench } from "./jobs.ts";
import { liveBench } from "./live.ts";
import { pagesBench } from "./pages.ts";
import { serverHistoryBench } from "./server-history.ts";
import { streamsBench } from "./streams.ts";
import { swarmsBench } from "./swarms.ts";
import { userTestingBench } from "./user-testing.ts";

export interface Row {
  what: string;
  value: number;
  unit: string;
  /** Between what it would lie, were it measured again; where that is known. */
  spread?: [number, number];
  goal?: { atLeast: number } | { atMost: number };
}

export interface Bench {
  name: string;
  run(): Promise<Row[]>;
}

export const benches: Bench[] = [
  httpBench,
  liveBench,
  hostileBench,
  streamsBench,
  crowdBench,
  cliBench,
  conformanceBench,
  evalsBench,
  evalRunsBench,
  insightsBench,
  jobsBench,
  swarmsBench,
  userTestingBench,
  serverHistoryBench,
  pagesBench,
  inspectorBench,
];
