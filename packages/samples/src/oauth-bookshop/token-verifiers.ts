/**
 * How the shop checks a token: by its signature, or by asking the authorization server about it.
 * @module
 */
import { OAuthError, OAuthErrorCode, type OAuthTokenVerifier } from "@modelcontextprotocol/server";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import type Provider from "oidc-provider";

export interface TokenRules {
  address: string;
  /** Whom a token must be for; anybody when absent, which is wrong. */
  audience?: string;
}

export function jwtVerifier(
  issuer: string,
  jwksUri: string,
  { address, audience }: TokenRules,
): OAuthTokenVerifier {
  const keys = createRemoteJWKSet(new URL(jwksUri));
  const rules = { issuer, typ: "at+jwt", ...(audience !== undefined && { audience }) };
  return {
    async verifyAccessToken(token) {
      try {
        const { payload } = await jwtVerify(token, keys, rules);
        return {
          token,
          clientId: String(payload.client_id),
          scopes: String(payload.scope ?? "").split(" "),
          expiresAt: payload.exp ?? 0,
          resource: new URL(address),
        };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        throw invalidToken(error.code);
      }
    },
  };
}

/** For tokens that say nothing by themselves. */
export function providersVerifier(provider: Provider, { address, audience }: TokenRules): OAuthTokenVerifier {
  return {
    async verifyAccessToken(token) {
      const found =
        (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      if (!found?.isValid) throw invalidToken("unknown");
      if (audience !== undefined && found.aud !== audience) throw invalidToken("for another");
      return {
        token,
        clientId: found.clientId ?? "",
        scopes: (found.scope ?? "").split(" "),
        expiresAt: found.exp ?? 0,
        resource: new URL(address),
      };
    },
  };
}

const invalidToken = (why: string) =>
  new OAuthError(OAuthErrorCode.InvalidToken, `The access token is not valid: ${why}`);
