/** @module Runs one judged flow for a command: a way to consent, a line of progress, the run. */
import { type OauthRun, type OauthRunOptions, suites } from "@fettle/checks";
import { flowSteps } from "@fettle/mcp";
import { type Deadline, stepTime, withSuiteDeadline } from "../connection/deadline.ts";
import { asCliError } from "../connection/failure.ts";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { World } from "../world.ts";
import { consentWay } from "./consent.ts";
import type { FlowPlan } from "./flow-input.ts";
import type { VerifyFlags } from "./sign-in.ts";

/** A flow to judge: everything is said, nothing is found out. */
export type JudgedPlan = FlowPlan &
  Pick<
    OauthRunOptions,
    "protocolVersion" | "registration" | "conformanceChecks" | "checkRefresh" | "verification"
  >;

export interface JudgeOptions {
  world: World;
  print: Printer;
  /** Of `--timeout`, when it was typed; what is left of it, where several share it. */
  timeout: number | undefined;
  /** The whole that was typed. */
  promisedMs?: number | undefined;
  printUrl?: boolean;
}

export async function judgeFlow(
  plan: JudgedPlan,
  { world, print, timeout, promisedMs, printUrl = false }: JudgeOptions,
): Promise<OauthRun> {
  const way = await consentWay(plan, { world, print, printUrl, strict: true });
  const { askPerson } = way;
  let done = () => {};
  let isGood = false;
  try {
    const { redirectUrl: _typed, serverUrl, headers, ...rest } = plan;
    const judge = ({ signal, whilePersonActs }: Deadline) =>
      suites.oauth.run(
        { serverUrl, headers },
        {
          ...rest,
          redirectUri: way.redirectUri,
          now: world.now,
          stepTimeoutMs: stepTime(timeout, plan.stepTimeoutMs),
          signal,
          ...(askPerson && { askPerson: (url, over) => whilePersonActs(askPerson(url, over)) }),
          beforeStep: (step) => {
            done();
            // While a person is asked, the address is on the screen.
            const isAsking = step === "authorization_request" && plan.authMode === "interactive";
            done = world.stderr.isTTY && !isAsking ? print.progress(text`${flowSteps[step]} ...`) : () => {};
          },
        },
      );
    const run = await withSuiteDeadline(timeout, judge, promisedMs);
    isGood = run.gains.tokens !== undefined;
    return run;
  } catch (error) {
    throw asCliError(error);
  } finally {
    done();
    await way.finish(isGood);
  }
}

/** What the flags ask to be proven; they win over what a file says. */
export function verificationOf({
  verifyTools,
  verifyCallTool,
}: VerifyFlags): OauthRunOptions["verification"] {
  if (!verifyTools && verifyCallTool === undefined) return undefined;
  return {
    listTools: true,
    ...(verifyCallTool !== undefined && { callTool: { name: verifyCallTool, params: {} } }),
  };
}
