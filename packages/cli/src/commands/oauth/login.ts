/** @module `fettle oauth login`: signs in to an MCP server and prints, or keeps, what comes of it. */
import { targetFacts } from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { type FlowRun, parseTarget, Recorder, type Verification } from "@fettle/mcp";
import { type Deadline, stepTime, withSuiteDeadline } from "../../connection/deadline.ts";
import { withDebugArtifact } from "../../connection/debug-artifact.ts";
import { asCliError } from "../../connection/failure.ts";
import { defaultTimeoutMs } from "../../connection/open-server.ts";
import { planFlow } from "../../oauth/flow-input.ts";
import { storyText } from "../../oauth/flow-text.ts";
import {
  credentialsOf,
  keepCredentials,
  type ShownCredentials,
  withoutSecrets,
} from "../../oauth/kept-credentials.ts";
import { isVerified, type SignedIn, signIn, verified } from "../../oauth/sign-in.ts";
import type { Outcome } from "../../output/printer.ts";
import { shellWords } from "../../output/shell-words.ts";
import { facts } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { oauthLoginFlags } from "./flags.ts";

type LoginCall = Call<typeof oauthLoginFlags, NoArguments>;

export async function run(call: LoginCall): Promise<Outcome> {
  const { flags, global, world, print } = call;
  const planned = await planFlow(flags, call.input);
  const plan = { ...planned, stepTimeoutMs: stepTime(global.timeout, planned.stepTimeoutMs) };
  const timeoutMs = global.timeout ?? defaultTimeoutMs;
  const given = { url: plan.serverUrl, headers: plan.headers ?? {} };
  const target = parseTarget(given);
  const subject = {
    name: "oauth login",
    input: { url: plan.serverUrl, authMode: plan.authMode, registration: plan.registration },
    plan: { target, held: {}, timeoutMs, facts: targetFacts(target, timeoutMs, {}) },
    path: flags.debugOut,
    secrets: [] as readonly string[],
  };
  const login = async (deadline: Deadline) => {
    const signedIn = await signIn(plan, { world, print, strict: false, deadline });
    const { run: flow, gains } = signedIn;
    const { verification, steps } = await verified(signedIn, plan, flags);
    flow.steps.push(...steps);
    if (gains.tokens) {
      const { accessToken, refreshToken } = gains.tokens;
      const held = {
        hasRefreshToken: refreshToken !== undefined,
        hasClientSecret: gains.client?.clientSecret !== undefined,
      };
      const opened = parseTarget({ ...given, accessToken });
      subject.plan = { ...subject.plan, target: opened, held, facts: targetFacts(opened, timeoutMs, held) };
    }
    subject.secrets = gains.secrets;
    const credentials = credentialsOf(gains, world.now());
    const file =
      flags.credentialsOut !== undefined && gains.tokens && flow.completed
        ? await keepCredentials(world, flags.credentialsOut, {
            serverUrl: plan.serverUrl,
            protocolVersion: flow.protocolVersion,
            gains,
          })
        : undefined;
    return outcome(call, signedIn, {
      credentials: flags.credentialsOut === undefined ? credentials : withoutSecrets(credentials),
      file,
      verification,
    });
  };
  return withDebugArtifact(call, subject, new Recorder({ label: plan.serverUrl }), () =>
    withSuiteDeadline(global.timeout, login).catch((error: unknown) => {
      throw asCliError(error);
    }),
  );
}

interface Login {
  credentials: ShownCredentials;
  file: string | undefined;
  verification: Verification | undefined;
}

function outcome(call: LoginCall, { run, redirectUri }: SignedIn, login: Login): Outcome {
  const { flags } = call;
  const { verification, credentials, file } = login;
  const { steps, plan, failure, completed } = run;
  const isGood = completed && isVerified(verification);
  const value = {
    completed,
    serverUrl: flags.url,
    protocolVersion: run.protocolVersion,
    ...(run.spokenVersion !== undefined && { spokenVersion: run.spokenVersion }),
    ...(run.registration && { registrationStrategy: run.registration }),
    protocolMode: flags.protocolVersion === undefined ? "auto" : "pinned",
    registrationMode: flags.registration === undefined ? "auto" : "pinned",
    authMode: flags.authMode ?? "interactive",
    redirectUrl: redirectUri,
    currentStep: run.currentStep,
    ...(run.authorizationUrl !== undefined && { authorizationUrl: run.authorizationUrl }),
    authorizationPlan: plan,
    credentials,
    ...(file !== undefined && { credentialsFile: file }),
    ...(verification && { verification }),
    ...(failure && { error: failure }),
    state: { steps },
  };
  return {
    value,
    human: () => lines([storyText(steps), "", summaryText(run, login, isGood)]),
    ...(completed && { hint: nextCommand(flags.url, file) }),
    exitCode: isGood ? exitCodes.ok : exitCodes.failed,
  };
}

function summaryText(
  { completed, plan, registration, spokenVersion }: FlowRun,
  login: Login,
  isGood: boolean,
): Text {
  const { credentials, file } = login;
  const head = isGood
    ? text`${style.green("✓")} Signed in`
    : text`${style.red("✗")} ${completed ? "Signed in, but the token does not do what was asked" : "Not signed in"}`;
  if (!completed) return head;
  return lines([
    head,
    facts([
      ["Issuer", plan.issuer],
      ["Resource", plan.resource],
      ["Scope", plan.scope],
      ["Version", spokenVersion],
      ["Client", `${credentials.clientId ?? ""} (${registration ?? ""})`],
      ["Client secret", credentials.clientSecret],
      ["Access token", credentials.accessToken],
      ["Refresh token", credentials.refreshToken],
      ["Expires in", credentials.expiresIn === undefined ? undefined : `${credentials.expiresIn} s`],
      ["Kept in", file],
    ]),
  ]);
}

function nextCommand(url: string, file: string | undefined): Text {
  const credential = file === undefined ? ["--access-token", "<token>"] : ["--credentials-file", file];
  return style.cyan(shellWords(["fettle", "tools", "list", "--url", url, ...credential]));
}
