/** @module One suite on one server, wherever it is run from: what cannot be reached is never called a failure. */
import { suiteReportOfRun, suites } from "@fettle/checks";
import { ApiError } from "@fettle/contract/core";
import {
  type ConformanceFixtures,
  type ConformanceSuite,
  ConformanceSuiteReport,
  hostedConformanceSuites,
} from "@fettle/contract/servers";
import { isMcpError } from "@fettle/mcp";
import type { Reach } from "../live/reach.ts";

export type Found = { kind: "report"; report: ConformanceSuiteReport } | { kind: "fault"; why: string };

export interface SuiteRun {
  reach(): Promise<Reach>;
  protocolVersion: string | null;
  fixtures: ConformanceFixtures | undefined;
  signal: AbortSignal;
  onProgress(progress: { done: number; total: number }): void;
}

export async function runSuite(kind: ConformanceSuite, run: SuiteRun): Promise<Found> {
  const { protocolVersion, fixtures, signal, onProgress } = run;
  try {
    const { target, timeoutMs, options } = await run.reach();
    if (!isHosted(kind)) return { kind: "fault", why: `Nobody is there to sign in for the ${kind} suite.` };
    const { policy, authorize } = options;
    const [probe] = fixtures?.toolCalls ?? [];
    // Beside what was named, the tasks suite calls only a tool that says it is harmless, or those of the official suite.
    const made = await suites[kind].run(
      { target, timeoutMs, policy, authorize },
      {
        protocolVersion: protocolVersion ?? undefined,
        fixtures,
        ...(probe && { toolName: probe.toolName, toolArgs: probe.arguments }),
        signal,
        onProgress,
      },
    );
    // What was cut off says nothing about the server.
    signal.throwIfAborted();
    // Through the same door as a report from elsewhere.
    return { kind: "report", report: ConformanceSuiteReport.parse(suiteReportOfRun(kind, made)) };
  } catch (error) {
    signal.throwIfAborted();
    if (isMcpError(error) || error instanceof ApiError) return { kind: "fault", why: error.message };
    throw error;
  }
}

/** What was asked for, or every suite that needs nobody to sign in. */
export function chosenSuites(asked: readonly ConformanceSuite[] | undefined): ConformanceSuite[] {
  if (asked?.includes("oauth")) {
    throw new ApiError("VALIDATION_ERROR", "The OAuth suite needs a person or a client of its own.", {
      path: "body.suites",
      code: "SUITE_NOT_HOSTED",
      hint: "Run `fettle oauth conformance` and report its results.",
    });
  }
  const missing = asked?.filter((kind) => !isHosted(kind)) ?? [];
  if (missing.length > 0) {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      `The service cannot run the ${missing.join(" and ")} suite yet.`,
      {
        reason: "not_built",
        suites: missing,
      },
    );
  }
  return [...(asked ?? hostedConformanceSuites)];
}

function isHosted(kind: ConformanceSuite): kind is (typeof hostedConformanceSuites)[number] {
  return hostedConformanceSuites.some((hosted) => hosted === kind);
}
