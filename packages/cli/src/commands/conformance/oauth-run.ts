/** @module The OAuth suite as `conformance run` has it: nobody is asked, and the connection flags say who signs in. */
import { oauthSuiteReportOf, type SuiteReport } from "@fettle/checks";
import type { OauthVersion } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { type FlowPlan, planFlow } from "../../oauth/flow-input.ts";
import { judgeFlow } from "../../oauth/judged-flow.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { conformanceRunFlags } from "./flags.ts";

type RunCall = Call<typeof conformanceRunFlags, NoArguments>;

/** Refuses what cannot be right before anything is asked. */
export async function planOauthSuite({ flags, input }: RunCall): Promise<FlowPlan> {
  const { url, clientId, clientSecret, header, protocolVersion } = flags;
  if (url === undefined) throw usageError("--suite oauth goes with --url: over stdio nobody signs in.");
  if (protocolVersion !== undefined && !isOauthVersion(protocolVersion)) {
    throw usageError(`There are no rules for OAuth in ${protocolVersion}; the first are in 2025-03-26.`);
  }
  return planFlow(
    {
      url,
      protocolVersion,
      registration: clientId === undefined ? "dcr" : "preregistered",
      authMode: flags.oauthStrategy ?? "headless",
      clientId,
      clientSecret,
      header,
    },
    input,
  );
}

/** Without a version of its own, the suite goes by what the server agreed to in another. */
export async function runOauthSuite(
  call: RunCall,
  plan: FlowPlan,
  agreed: string | undefined,
  timeout: number | undefined,
): Promise<SuiteReport> {
  const protocolVersion = plan.protocolVersion ?? (isOauthVersion(agreed) ? agreed : "2025-11-25");
  const { report } = await judgeFlow(
    { ...plan, protocolVersion, registration: plan.registration ?? "dcr" },
    { ...call, timeout, promisedMs: call.global.timeout },
  );
  return oauthSuiteReportOf(report.serverUrl, [report], report.durationMs);
}

function isOauthVersion(version: string | undefined): version is OauthVersion {
  return version !== undefined && version >= "2025-03-26";
}
