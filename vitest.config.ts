import { defineConfig } from "vitest/config";

const everywhere = (kind: string) => [`packages/*/src/**/*${kind}.test.ts`, `tests/**/*${kind}.test.ts`];
const shared = {
  // Offers a PostgreSQL to the tests that ask for one; costs nothing until then.
  globalSetup: "packages/service/src/testing/postgres.ts",
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  test: {
    // Two cores: more workers only make real processes and databases wait for each other.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: "main",
          include: everywhere(""),
          exclude: [...everywhere(".browser"), ...everywhere(".soak"), "**/node_modules/**"],
        },
      },
      {
        test: {
          ...shared,
          name: "browser",
          globalSetup: [shared.globalSetup, "packages/web/src/testing/build-once.ts"],
          include: everywhere(".browser"),
        },
      },
      // Long fault runs: `npm run test:soak`.
      { test: { ...shared, name: "soak", include: everywhere(".soak"), testTimeout: 1_800_000 } },
    ],
  },
});
