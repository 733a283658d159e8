/** @module Every bench there is. Add yours here. */
import type { Bench } from "./bench.ts";
import { cliBench } from "./cli.ts";
import { conformanceBench } from "./conformance.ts";
import { conformanceServersBench } from "./conformance-servers.ts";
import { crowdBench } from "./crowd.ts";
import { evalRunsBench } from "./eval-runs.ts";
import { evalsBench } from "./evals.ts";
import { hostileBench } from "./hostile.ts";
import { httpBench, memoryBench, openingBench } from "./http.ts";
import { insightsBench } from "./insights.ts";
import { inspectorBench } from "./inspector.ts";
import { jobsBench } from "./jobs.ts";
import { listsBench } from "./lists.ts";
import { liveBench } from "./live.ts";
import { cloneBench, packageBench } from "./package.ts";
import { pagesBench } from "./pages.ts";
import { serverHistoryBench } from "./server-history.ts";
import { streamsBench } from "./streams.ts";
import { swarmsBench } from "./swarms.ts";
import { userTestingBench } from "./user-testing.ts";
import { visitStreamsBench } from "./visit-streams.ts";

export const benches: Bench[] = [
  openingBench,
  memoryBench,
  httpBench,
  liveBench,
  hostileBench,
  streamsBench,
  visitStreamsBench,
  crowdBench,
  cliBench,
  conformanceBench,
  conformanceServersBench,
  evalsBench,
  evalRunsBench,
  insightsBench,
  jobsBench,
  listsBench,
  swarmsBench,
  userTestingBench,
  serverHistoryBench,
  pagesBench,
  inspectorBench,
  packageBench,
  cloneBench,
];
