/** @module A person's consent, from the question to the code: proof of who asks, the address, and whether the answer may be believed. */
import { McpError } from "../../failure.ts";
import { checkAnswerIssuer, createAuthorizationRequest, createPkce } from "../authorization-code.ts";
import type { OauthClient } from "../tokens.ts";
import type { FoundGuardian } from "./find-guardian.ts";
import { FlowPaused } from "./flow-memory.ts";
import { defaultPersonMs, type FlowContext } from "./flow-options.ts";
import { walkToRedirect } from "./headless.ts";
import type { ChosenScope } from "./scope.ts";
import type { Teller } from "./telling.ts";

export interface Consent {
  code: string;
  codeVerifier: string;
  state: string;
  /** Where the person was sent. */
  authorizationUrl: string;
  /** What came back with the code, the code left out. */
  iss?: string;
}

export async function getConsentByStep(
  context: FlowContext,
  guardian: FoundGuardian,
  client: OauthClient,
  { scope, decision }: ChosenScope,
): Promise<Consent> {
  const { options, telling, version } = context;
  const pkce = await telling.step("generate_pkce_parameters", (teller) => {
    const made = createPkce();
    telling.conceal(made.codeVerifier);
    teller.say(
      version >= "2026-07-28"
        ? `S256, ${made.codeVerifier.length} characters; the answer must come from ${guardian.issuer}.`
        : `S256, ${made.codeVerifier.length} characters.`,
    );
    return made;
  });
  const isInteractive = options.authMode === "interactive";
  const { answer, authorizationUrl } = await telling.step(
    "authorization_request",
    async (teller) => {
      teller.decide(decision);
      const request = createAuthorizationRequest({
        server: guardian.server,
        clientId: client.clientId,
        redirectUri: options.redirectUri,
        resource: guardian.resource,
        scope,
        protocolVersion: version,
        pkce,
      });
      teller.note(`The address is ${request.url}`);
      const answer = await ask(context, guardian, request.url, teller);
      if (!answer) {
        throw new FlowPaused({ before: "authorization_request", authorizationUrl: request.url });
      }
      telling.conceal(answer.searchParams.get("code") ?? undefined);
      teller.say(isInteractive ? "The person came back." : "The authorization server sent us back at once.");
      return { answer: answer.search, authorizationUrl: request.url };
    },
    isInteractive ? Math.max(options.personMs ?? defaultPersonMs, context.stepTimeoutMs) : undefined,
  );
  const said = new URLSearchParams(answer);
  const code = await telling.step("received_authorization_code", (teller) =>
    readAnswer(context, guardian, teller, pkce.state, said),
  );
  const iss = said.get("iss");
  return {
    code,
    codeVerifier: pkce.codeVerifier,
    state: pkce.state,
    authorizationUrl,
    ...(iss !== null && { iss }),
  };
}

function ask(
  { options, http }: FlowContext,
  guardian: FoundGuardian,
  url: string,
  teller: Teller,
): Promise<URL | undefined> {
  const { signal } = teller;
  if (options.authMode === "headless") {
    return walkToRedirect({
      http,
      url,
      redirectUri: options.redirectUri,
      signal,
      suppliedFrom: guardian.zone,
    });
  }
  if (!options.askPerson)
    throw new McpError("BAD_OPTION", "Interactive consent needs a way to ask a person.");
  return options.askPerson(url, signal);
}

/** In this order: is it ours, is it from whom we asked, and only then what it says. */
function readAnswer(
  { version, isAuto }: FlowContext,
  { server, issuer }: FoundGuardian,
  teller: Teller,
  state: string,
  answer: URLSearchParams,
): string {
  if (answer.get("state") !== state) {
    throw new McpError("OAUTH", "The answer carries another state than the question: it is not ours.");
  }
  try {
    checkAnswerIssuer(server, issuer, answer.get("iss") ?? undefined);
  } catch (error) {
    // Earlier versions did not look at it. Without a version to hold to, we hold to what is safe.
    if (version >= "2026-07-28" || isAuto) throw error;
    teller.warn(`${error instanceof Error ? error.message : error} From 2026-07-28 on that is refused.`);
  }
  const refused = answer.get("error");
  if (refused !== null) {
    const words = answer.get("error_description") ?? refused;
    throw new McpError("OAUTH", `The authorization server refused: ${words}.`, {
      details: { oauthError: refused },
    });
  }
  const code = answer.get("code");
  if (!code) throw new McpError("OAUTH", "The answer holds no code.");
  teller.say(`A code came, with our state${answer.has("iss") ? " and the issuer's name" : ""}.`);
  return code;
}
