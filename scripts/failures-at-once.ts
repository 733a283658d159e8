/** @module Tells why a test failed when it fails: a whole run takes long, and vitest keeps its reasons for the end. */
import type { Reporter, TestCase } from "vitest/node";

export class FailuresAtOnce implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const { message, diff, stack = "" } of test.result().errors ?? []) {
      const name = `✗ ${test.module.relativeModuleId} > ${test.fullName}`;
      const ours = stack.split("\n").filter((line) => /^\s+at /.test(line) && !line.includes("node_modules"));
      console.error(["", name, message, ...(diff === undefined ? [] : [diff]), ...ours].join("\n"));
    }
  }
}
