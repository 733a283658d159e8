/**
 * @module One OAuth flow from nothing to a token that works, step by step. Signing in, judging a server and debugging one are this same walk;
 * what differs is who watches and how strict they are.
 */
import { secretsInUrl } from "@fettle/contract/secrets";
import { latestStateful, latestStateless } from "../../eras/era.ts";
import { asMcpError, McpError } from "../../failure.ts";
import { createHttpClient } from "../../guard/client.ts";
import { localPolicy } from "../../guard/policy.ts";
import type { JsonObject } from "../../messages/jsonrpc.ts";
import { redactKnowing } from "../../recording/known-secrets.ts";
import { grantTypes } from "../grant-types.ts";
import {
  type OauthClient,
  readTokenAnswer,
  requestTokens,
  type TokenAnswer,
  type TokenRequest,
  type TokenSet,
} from "../tokens.ts";
import { becomeClientByStep } from "./become-client.ts";
import { type FoundGuardian, findGuardianByStep } from "./find-guardian.ts";
import { type FlowMemory, type FlowPause, FlowPaused } from "./flow-memory.ts";
import {
  defaultStepTimeoutMs,
  type FlowContext,
  type FlowOptions,
  machineExtension,
} from "./flow-options.ts";
import type { FlowFailure, FlowStep, FlowStepId, OauthVersion, Registration } from "./flow-step.ts";
import { type Consent, getConsentByStep } from "./get-consent.ts";
import { askServer, withoutCredential } from "./mcp-question.ts";
import { chooseScope, scopeToRegister } from "./scope.ts";
import { createTelling, failureOf, type Telling } from "./telling.ts";

/** What happened, and nothing that must be kept from view. */
export interface FlowRun {
  completed: boolean;
  steps: FlowStep[];
  /** The last step that was begun; `idle` when none was. */
  currentStep: FlowStepId | "idle";
  /** Whose rules it went by. */
  protocolVersion: OauthVersion;
  /** In which the server answered, once it did. */
  spokenVersion?: string;
  registration?: Registration;
  authorizationUrl?: string;
  /** What the metadata offered and what was made of it. */
  plan: FlowPlan;
  failure?: FlowFailure;
}

export interface FlowPlan {
  issuer?: string;
  resource?: string;
  scope?: string;
  clientId?: string;
  resourceMetadata?: JsonObject;
  authorizationServerMetadata?: JsonObject;
}

/** What was got. Secret: for the file it is kept in, and for further requests. */
export interface FlowGains {
  guardian?: FoundGuardian;
  client?: OauthClient;
  scope?: string;
  consent?: Consent;
  tokens?: TokenSet;
  tokenAnswer?: TokenAnswer;
  /** Values that must not be shown. */
  secrets: readonly string[];
}

export interface Flow {
  run: FlowRun;
  gains: FlowGains;
  /** Secret as well: the steps so far, to go on from. */
  memory: FlowMemory;
  /** It was put down here. */
  paused?: FlowPause;
}

/**
 * Walks the whole flow; a failure is part of the result, never thrown.
 *
 * @example
 * const { run, gains } = await runFlow({ serverUrl, authMode: "headless", strict: false, redirectUri });
 * if (run.completed) keep(gains.tokens);
 */
export async function runFlow(options: FlowOptions): Promise<Flow> {
  const stepTimeoutMs = options.stepTimeoutMs ?? defaultStepTimeoutMs;
  const telling = createTelling({ ...options, stepTimeoutMs });
  telling.conceal(options.clientSecret);
  telling.conceal(options.clientKey);
  telling.conceal(options.assertion);
  for (const value of Object.values(options.headers ?? {})) telling.conceal(value);
  for (const value of secretsInUrl(options.serverUrl)) telling.conceal(value);
  const http = createHttpClient({ policy: options.policy ?? localPolicy, observer: telling.observer });
  const context: FlowContext = {
    options,
    http,
    telling,
    stepTimeoutMs,
    version: options.protocolVersion ?? latestStateful,
    isAuto: options.protocolVersion === undefined,
    question: (version, accessToken) => ({
      serverUrl: options.serverUrl,
      version,
      headers: withoutCredential(options.headers),
      accessToken,
      clientInfo: options.clientInfo ?? { name: "fettle", version: "0.1.0" },
      capabilities:
        options.authMode === "client_credentials" ? { extensions: { [machineExtension]: {} } } : {},
      timeoutMs: stepTimeoutMs,
    }),
  };
  const gains: Omit<FlowGains, "secrets"> & { registration?: Registration } = {};
  let end: Ending = {};
  try {
    await walk(context, gains);
  } catch (error) {
    end = error instanceof FlowPaused ? { paused: error.pause } : { failure: asMcpError(error) };
  } finally {
    http.close();
  }
  const { registration, ...got } = gains;
  return {
    run: toRun(context, telling, got, registration, end),
    gains: { ...got, secrets: telling.secrets },
    memory: telling.remember(),
    ...(end.paused && { paused: end.paused }),
  };
}

/** Neither: it came to its end. */
interface Ending {
  failure?: McpError;
  paused?: FlowPause;
}

async function walk(
  context: FlowContext,
  gains: Omit<FlowGains, "secrets"> & { registration?: Registration },
): Promise<void> {
  const { options, telling } = context;
  const guardian = await findGuardianByStep(context);
  gains.guardian = guardian;
  const chosen = chooseScope(context, guardian);
  if (chosen.scope !== undefined) gains.scope = chosen.scope;
  const known = await becomeClientByStep(context, guardian, scopeToRegister(chosen.scope, guardian));
  gains.registration = known.registration;
  gains.client = known.client;
  if (options.authMode === "client_credentials") {
    for (const step of personalSteps) telling.skip(step, "A machine asks for itself; nobody consents.");
  } else {
    gains.consent = await getConsentByStep(context, guardian, known.client, chosen);
  }
  const answer = await telling.step("token_request", async (teller) => {
    if (!gains.consent) teller.decide(chosen.decision);
    const { clientSecret, key } = known.client;
    const hasProof = clientSecret !== undefined || key !== undefined || options.assertion !== undefined;
    if (options.authMode === "client_credentials" && !hasProof) {
      throw new McpError(
        "OAUTH",
        "The client has no secret, and a machine has nothing else to prove itself with.",
        {
          hint: "Registration must give a secret, or give one with --client-secret.",
        },
      );
    }
    const answer = await requestTokens(tokenRequest(context, gains, teller.signal), grantOf(context, gains));
    for (const name of ["access_token", "refresh_token", "id_token"]) {
      if (typeof answer.body[name] === "string") telling.conceal(answer.body[name]);
    }
    readTokenAnswer(answer, options.now);
    teller.say(`The token endpoint answers ${answer.status}.`);
    return answer;
  });
  gains.tokenAnswer = answer;
  const tokens = await telling.step("received_access_token", (teller) => {
    const tokens = readTokenAnswer(answer, options.now);
    if (answer.body.token_type === undefined) {
      teller.warn("The answer does not say of which type the token is; it is taken for a Bearer token.");
    }
    const facts = [
      tokens.expiresAt === undefined ? "does not say when it ends" : `lives ${answer.body.expires_in} s`,
      tokens.refreshToken === undefined ? "comes without a refresh token" : "comes with a refresh token",
      ...(tokens.scope === undefined ? [] : [`is for ${tokens.scope}`]),
    ];
    teller.say(`The token ${facts.join(", ")}.`);
    return tokens;
  });
  gains.tokens = tokens;
  if (options.isUnproven) return;
  await useToken(context, tokens);
  await telling.step("complete", (teller) => teller.say("The token works."));
}

const personalSteps = [
  "generate_pkce_parameters",
  "authorization_request",
  "received_authorization_code",
] as const;

function tokenRequest(
  { http, options, telling }: FlowContext,
  { guardian, client, scope }: Pick<FlowGains, "guardian" | "client" | "scope">,
  signal?: AbortSignal,
): TokenRequest {
  if (!guardian || !client) throw new McpError("BAD_OPTION", "There is no client to ask for a token with.");
  return {
    http,
    server: guardian.server,
    client,
    resource: guardian.resource,
    signal,
    suppliedFrom: guardian.zone,
    conceal: telling.conceal,
    ...(options.authMode === "client_credentials" && scope !== undefined && { scope }),
  };
}

function grantOf({ options }: FlowContext, { consent }: Pick<FlowGains, "consent">): Record<string, string> {
  if (!consent && options.assertion !== undefined) {
    return { grant_type: grantTypes.jwtBearer, assertion: options.assertion };
  }
  if (!consent) return { grant_type: "client_credentials" };
  return {
    grant_type: "authorization_code",
    code: consent.code,
    redirect_uri: options.redirectUri,
    code_verifier: consent.codeVerifier,
  };
}

/** The proof: the server answers a request that carries the token. Which version it speaks is known only from an answer of that version. */
async function useToken(context: FlowContext, { accessToken }: TokenSet): Promise<void> {
  const { telling, http, isAuto } = context;
  const { spoken } = await telling.step("authenticated_mcp_request", async (teller) => {
    const candidates: OauthVersion[] = isAuto ? [latestStateless, latestStateful] : [context.version];
    let works: { status: number; spoken?: string } | undefined;
    let refusal: McpError | undefined;
    for (const version of candidates) {
      const answer = await askServer(http, {
        ...context.question(version, accessToken),
        signal: teller.signal,
      });
      const isAnswered = answer.status >= 200 && answer.status < 300 && answer.result !== undefined;
      if (isAnswered) works = answer;
      if (answer.spoken !== undefined) break;
      const words = answer.error ? `: ${answer.error.message}` : "";
      refusal = new McpError(
        "OAUTH",
        `The server answers ${answer.status} to a request with the token${words}.`,
        {
          hint: "The token was issued for this resource; look at how the server checks issuer, audience and scope.",
          details: {
            status: answer.status,
            ...(answer.wwwAuthenticate !== undefined && { wwwAuthenticate: answer.wwwAuthenticate }),
          },
        },
      );
      if (answer.status === 401 || answer.status === 403) break;
    }
    if (!works) throw refusal;
    const { status, spoken } = works;
    if (isAuto && spoken !== undefined) {
      teller.decide({
        about: "Which protocol version",
        offered: candidates,
        picked: spoken,
        why: "It is the newest that the server answers in.",
      });
    }
    teller.say(`The server answers ${status} to a request with the token.`);
    return { spoken };
  });
  context.spoken = spoken;
  // Old rules led here, and will lead here again when the token is renewed.
  if (isAuto && spoken === latestStateless && context.version !== "2025-03-26") context.version = spoken;
}

function toRun(
  context: FlowContext,
  telling: Telling,
  { guardian, client, scope, consent }: Omit<FlowGains, "secrets">,
  registration: Registration | undefined,
  { failure, paused }: Ending,
): FlowRun {
  const run: FlowRun = {
    completed: failure === undefined && paused === undefined,
    steps: telling.read(),
    currentStep: telling.current ?? "idle",
    protocolVersion: context.version,
    ...(context.spoken !== undefined && { spokenVersion: context.spoken }),
    ...(registration && { registration }),
    ...(consent && { authorizationUrl: consent.authorizationUrl }),
    plan: {
      ...(guardian && { issuer: guardian.issuer, resource: guardian.resource }),
      ...(scope !== undefined && { scope }),
      ...(client && { clientId: client.clientId }),
      ...(guardian?.protectedResource && { resourceMetadata: guardian.protectedResource.metadata }),
      ...(guardian && { authorizationServerMetadata: guardian.server }),
    },
    ...(failure && { failure: failureOf(failure) }),
  };
  return redactKnowing(run, telling.secrets);
}
