import { defineConfig } from "vitest/config";
import { FailuresAtOnce } from "./scripts/failures-at-once.ts";
import { SecondsPerPackage } from "./scripts/seconds-per-package.ts";
import { MixedOrder } from "./scripts/test-order.ts";

const everywhere = (kind: string) => [`packages/*/src/**/*${kind}.test.ts`, `tests/**/*${kind}.test.ts`];
const shared = {
  // The second offers a PostgreSQL to the tests that ask for one; costs nothing until then.
  globalSetup: ["scripts/memory-folder.ts", "packages/service/src/testing/postgres.ts"],
  setupFiles: ["scripts/measured-file.ts"],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // What is awaited comes at once on a quiet machine; a second is too little on a busy one.
  expect: { poll: { timeout: 60_000 } },
  // Node reads the 180 KB of this package's manifest again for each of its modules: a second for each test file.
  server: { deps: { inline: ["drizzle-orm"] } },
};

/** A worker goes on to the next file only within one project: the whole run is one, or each change between the two would load everything anew. */
const whole = {
  ...shared,
  name: "whole",
  isolate: false,
  globalSetup: [...shared.globalSetup, "packages/web/src/testing/build-once.ts"],
  include: everywhere(""),
  exclude: [...everywhere(".soak"), "**/node_modules/**"],
};

/** Where `npm test` reads what came of a run. */
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    reporters: [
      "default",
      new FailuresAtOnce(),
      new SecondsPerPackage(),
      ...(report === undefined ? [] : [["json", { outputFile: report }] as const]),
    ],
    // Twice the cores of a small machine: most files wait for processes, timeouts and databases half of their time.
    maxWorkers: 4,
    sequence: { sequencer: MixedOrder },
    projects: [
      // Only where it is asked for by name, as `npm test` does: else each file would belong to two.
      ...(process.argv.includes("--project=whole") ? [{ test: whole }] : []),
      {
        test: {
          ...shared,
          name: "main",
          // Loading the service, the judges and the commands anew for each file would cost a fifth of the whole run.
          isolate: false,
          include: everywhere(""),
          exclude: [...everywhere(".browser"), ...everywhere(".soak"), "**/node_modules/**"],
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          // Nor the driver and what starts a deployment: a third of a short file's cost.
          isolate: false,
          globalSetup: [...shared.globalSetup, "packages/web/src/testing/build-once.ts"],
          include: everywhere(".browser"),
        },
      },
      // Long fault runs: `npm run test:soak`.
      { test: { ...shared, name: "soak", include: everywhere(".soak"), testTimeout: 1_800_000 } },
    ],
  },
});
