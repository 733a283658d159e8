/** @module Runs that passed or failed, for tests of what a gate makes of them. */
import { expect } from "vitest";
import type { CloudService } from "./cloud-service.ts";
import { failing, oneCase, suiteOf } from "./hosted-suite.ts";

export function gatedRuns(serviceOf: () => CloudService) {
  const evals = (argv: string[], options: Parameters<CloudService["cloud"]>[1] = {}) =>
    serviceOf().cloud(["eval", ...argv], options);
  const played = async (
    file: string,
    argv: string[] = [],
    env: Record<string, string> = {},
  ): Promise<string> => {
    const { body, stderr } = await evals(["run", "--file", "-", "--wait", ...argv], { stdin: file, env });
    expect(stderr).toBe("");
    return body.launch.runId;
  };
  let made = 0;
  return {
    /** The id of the run of this file, once it has ended. */
    played,
    passing: () => played(suiteOf({ id: `s_pass_${++made}` })),
    /** One of its two cases passes. */
    failed: () =>
      played(suiteOf({ id: `s_fail_${++made}`, cases: [oneCase("good"), oneCase("bad", failing)] })),
    gate: (runId: string, ...argv: string[]) => evals(["gate", "--run", runId, ...argv]),
    waive: (runId: string, ...argv: string[]) =>
      evals(["gate", "waive", "--run", runId, "--reason", "Known", "--expires-in", "1h", ...argv]),
  };
}
