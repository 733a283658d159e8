/** @module What a run of the protocol suite says, beyond what every suite does. */
import { type Target, targetLabel } from "@fettle/mcp";
import type { Advice, CheckResult } from "../verdict/check-result.ts";
import { newestProfile } from "../verdict/profile.ts";
import { type RunReport, runReportOf } from "../verdict/run-report.ts";
import { protocolProfiles } from "./profiles.ts";
import type { ProtocolFacts } from "./protocol-check.ts";

export interface ProtocolReport extends RunReport {
  serverUrl?: string;
  readiness: Advice[];
}

export interface ProtocolRunFacts {
  target: Target;
  facts: ProtocolFacts;
  results: readonly CheckResult[];
  advice?: readonly Advice[];
  durationMs: number;
  schemaDigest?: string;
}

export function protocolReportOf(run: ProtocolRunFacts): ProtocolReport {
  const { target, facts, results, advice = [], durationMs, schemaDigest } = run;
  const label = targetLabel(target);
  const report = runReportOf({
    target: label,
    protocolVersion: facts.version,
    transport: facts.transport,
    results,
    advice,
    durationMs,
    profile: newestProfile(protocolProfiles),
    schemaDigest,
  });
  return {
    ...report,
    ...(target.kind === "http" && { serverUrl: label }),
    readiness: [...advice],
  };
}
