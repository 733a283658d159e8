/** @module The configured OpenID provider, spoken to through `openid-client`, which is loaded when it is first needed. */

import { PersonName } from "@fettle/contract/people";
import type { ClientAuth, Configuration } from "openid-client";
import type { OidcConfig } from "../../../core/config/config.ts";
import { createProviderFetch } from "./provider-fetch.ts";

/** One provider can be configured, so this is its name in addresses. */
export const providerId = "oidc";

const timeoutSeconds = 10;
/** OpenID Connect Core, 2. */
const longestSubject = 255;
/** A provider changes its endpoints and methods rarely, but not never. */
const discoveryLifetime = 60 * 60 * 1000;

/** What one sign-in must remember between leaving for the provider and coming back. */
interface Challenge {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** What the provider proved. */
export interface ProvedIdentity {
  issuer: string;
  subject: string;
  name: string | undefined;
  email: string | undefined;
  isEmailVerified: boolean;
}

export interface Provider {
  /** Where to send the browser, and what to check it against when it returns. */
  begin(redirectUri: string): Promise<{ url: string; challenge: Challenge }>;
  /** Checks the answer: state, issuer, code, nonce, the ID token's signature and claims. Throws when anything is off. */
  finish(callbackUrl: URL, challenge: Challenge): Promise<ProvedIdentity>;
}

export function createProvider(
  config: OidcConfig,
  { now, networkExceptions }: { now: () => number; networkExceptions: readonly string[] },
): Provider {
  let discovered: { at: number; configuration: Promise<Configuration> } | undefined;

  /** A failed discovery is forgotten, so that a provider that was down is tried again at the next sign-in. */
  function configure(): Promise<Configuration> {
    if (!discovered || now() - discovered.at > discoveryLifetime) {
      const configuration = discover(config, networkExceptions);
      discovered = { at: now(), configuration };
      configuration.catch(() => {
        discovered = undefined;
      });
    }
    return discovered.configuration;
  }

  return {
    async begin(redirectUri) {
      const oidc = await import("openid-client");
      const configuration = await configure();
      const challenge = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: "openid email profile",
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(challenge.codeVerifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, challenge };
    },

    async finish(callbackUrl, challenge) {
      const oidc = await import("openid-client");
      const configuration = await configure();
      const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
        expectedState: challenge.state,
        expectedNonce: challenge.nonce,
        pkceCodeVerifier: challenge.codeVerifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw new Error("the provider sent no ID token");
      if (idToken.sub.length > longestSubject) throw new Error("the provider's subject is too long");
      // Many providers put the address only into the userinfo answer; it must be about the same subject.
      const claims =
        idToken.email === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await oidc.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
          : idToken;
      const { email, name } = claims;
      return {
        issuer: idToken.iss,
        subject: idToken.sub,
        name: typeof name === "string" ? PersonName.safeParse(name.slice(0, 120)).data : undefined,
        email: typeof email === "string" ? email : undefined,
        isEmailVerified: claims.email_verified === true,
      };
    },
  };
}

async function discover(config: OidcConfig, networkExceptions: readonly string[]): Promise<Configuration> {
  const oidc = await import("openid-client");
  const execute = [oidc.enableNonRepudiationChecks];
  // Configuration lets plain HTTP through for a loopback provider only.
  if (config.issuer.protocol === "http:") execute.push(oidc.allowInsecureRequests);
  return oidc.discovery(config.issuer, config.clientId, undefined, authenticate(oidc, config), {
    execute,
    timeout: timeoutSeconds,
    [oidc.customFetch]: createProviderFetch(timeoutSeconds * 1000, networkExceptions),
  });
}

/** `client_secret_basic` is what a provider takes unless it says otherwise (OpenID Connect Core, 9). */
function authenticate(oidc: typeof import("openid-client"), { clientSecret }: OidcConfig): ClientAuth {
  if (!clientSecret) return oidc.None();
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const isPostOnly = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
    const secret = clientSecret.reveal();
    const apply = isPostOnly ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
    apply(server, ...rest);
  };
}
