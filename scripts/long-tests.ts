/**
 * @module Test files that take long for how little stands in them, longest first: their tests come from tables, or they start
 * much. Where nothing has run yet a file's size is all there is to go by, and these would begin last, one alone at the end.
 */
export const longForTheirSize = [
  "packages/web/src/testing/accessibility.browser.test.ts",
  "packages/checks/src/protocol/faults-stateless.test.ts",
  "packages/cli/src/golden/golden.test.ts",
  "tests/worked-example.test.ts",
  "tests/wire-faults.test.ts",
  "tests/hostile-corpus.test.ts",
  "packages/checks/src/protocol/faults-stateful.test.ts",
  "tests/faults/several-processes.test.ts",
  "tests/faults/contested-writes.test.ts",
  "tests/faults/killed-service.test.ts",
  "tests/published-package.test.ts",
  "packages/service/src/journey-runs/killed-workers.test.ts",
];
