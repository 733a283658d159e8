/** @module Runs a flow for a command: a way to consent, a line of progress, the flow, the proof that was asked for. */
import { type Flow, type FlowStep, flowSteps, runFlow, type Verification, verifyToken } from "@fettle/mcp";
import type { Deadline } from "../connection/deadline.ts";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { World } from "../world.ts";
import { consentWay } from "./consent.ts";
import type { FlowPlan } from "./flow-input.ts";

export interface VerifyFlags {
  verifyTools: boolean;
  verifyCallTool?: string | undefined;
}

export interface SignInOptions {
  world: World;
  print: Printer;
  strict: boolean;
  printUrl?: boolean;
  deadline: Deadline;
}

export interface SignedIn extends Flow {
  redirectUri: string;
}

export async function signIn(plan: FlowPlan, options: SignInOptions): Promise<SignedIn> {
  const { world, print, strict, deadline } = options;
  const way = await consentWay(plan, options);
  const { askPerson } = way;
  let completed = false;
  let done = () => {};
  try {
    const { redirectUrl: _typed, ...rest } = plan;
    const flow = await runFlow({
      ...rest,
      strict,
      redirectUri: way.redirectUri,
      now: world.now,
      signal: deadline.signal,
      ...(askPerson && { askPerson: (url, over) => deadline.whilePersonActs(askPerson(url, over)) }),
      beforeStep: (step) => {
        done();
        // While a person is asked, the address is on the screen.
        const isAsking = step === "authorization_request" && plan.authMode === "interactive";
        done = world.stderr.isTTY && !isAsking ? print.progress(text`${flowSteps[step]} ...`) : () => {};
      },
    });
    completed = flow.run.completed;
    return { ...flow, redirectUri: way.redirectUri };
  } finally {
    done();
    await way.finish(completed);
  }
}

/** Connects with the token when that was asked for. */
export async function verified(
  { run, gains }: Flow,
  plan: FlowPlan,
  flags: VerifyFlags,
): Promise<{ verification?: Verification; steps: FlowStep[] }> {
  const { verifyTools, verifyCallTool } = flags;
  if (!run.completed || !gains.tokens || (!verifyTools && verifyCallTool === undefined)) return { steps: [] };
  return verifyToken({
    serverUrl: plan.serverUrl,
    headers: plan.headers,
    accessToken: gains.tokens.accessToken,
    protocolVersion: plan.protocolVersion,
    clientInfo: plan.clientInfo,
    timeoutMs: plan.stepTimeoutMs,
    secrets: gains.secrets,
    ...(verifyCallTool !== undefined && { callTool: { name: verifyCallTool, params: {} } }),
  });
}

export function isVerified({ listTools, callTool }: Verification = {}): boolean {
  return listTools?.passed !== false && callTool?.passed !== false;
}
