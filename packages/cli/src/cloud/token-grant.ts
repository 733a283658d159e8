/** @module Trading a code or a refresh token for tokens (RFC 6749), and giving a token back (RFC 7009). */
import { operationalError } from "../cli-error.ts";
import { type AuthRequest, sendAuthRequest } from "./auth-request.ts";

export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds. */
  expiresAt?: number;
}

/** The grant itself was refused: only signing in again helps. */
export class GrantRefused extends Error {}

export async function requestTokens(request: AuthRequest, now: () => number): Promise<Tokens> {
  const { status, body } = await sendAuthRequest(request);
  if (status >= 500) throw operationalError(`The login service answered ${status}. Try again later.`);
  if (status !== 200 || typeof body.access_token !== "string" || body.access_token === "") {
    throw new GrantRefused(refusalText(status, body));
  }
  return {
    accessToken: body.access_token,
    ...(typeof body.refresh_token === "string" && { refreshToken: body.refresh_token }),
    ...(typeof body.expires_in === "number" && { expiresAt: now() + body.expires_in * 1000 }),
  };
}

/** True when the service has taken it back. */
export async function revokeToken(request: AuthRequest): Promise<boolean> {
  try {
    return (await sendAuthRequest(request)).status === 200;
  } catch {
    return false;
  }
}

function refusalText(status: number, { error, error_description }: Record<string, unknown>): string {
  if (typeof error_description === "string" && error_description !== "") return error_description;
  return typeof error === "string" ? error : `the login service answered ${status}`;
}
