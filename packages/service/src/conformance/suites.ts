/** @module The suites the service can run by itself on a saved server. One that is not here yet is told as not supported. */
import { protocolSuiteReportOf, runProtocol, type SuiteReport } from "@fettle/checks";
import { type ConformanceSuite, hostedConformanceSuites } from "@fettle/contract";
import type { Reach } from "../live/session.ts";

export interface SuiteCall {
  reach: Reach;
  protocolVersion: string | undefined;
  signal: AbortSignal;
  onProgress: (progress: { done: number; total: number }) => void;
}

type RunSuite = (call: SuiteCall) => Promise<SuiteReport>;

export const suites: Partial<Record<ConformanceSuite, RunSuite>> = {
  protocol: async ({ reach: { target, options }, protocolVersion, signal, onProgress }) =>
    protocolSuiteReportOf(
      await runProtocol(target, {
        protocolVersion,
        policy: options.policy,
        authorize: options.authorize,
        signal,
        onProgress,
      }),
    ),
};

export const runnableSuites = hostedConformanceSuites.filter((kind) => suites[kind] !== undefined);
