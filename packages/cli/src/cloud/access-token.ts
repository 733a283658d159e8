/** @module The stored login's access token, renewed when it is about to expire; processes that need it at once renew it once. */
import { CliError, operationalError } from "../cli-error.ts";
import { withLock } from "../files/lock.ts";
import type { AuthRequest } from "./auth-request.ts";
import { needsRefresh, readStoredLogin, type StoredLogin, writeStoredLogin } from "./stored-login.ts";
import { GrantRefused, requestTokens } from "./token-grant.ts";

export interface AccessTokenOptions {
  authFile: string;
  headers: Record<string, string>;
  timeoutMs: number;
  onWait?: AuthRequest["onWait"];
  now(): number;
}

export async function freshAccessToken(options: AccessTokenOptions): Promise<string> {
  const login = await readStoredLogin(options.authFile);
  if (!login) throw signInAgain("The stored login is gone.");
  if (!needsRefresh(login, options.now()) || !login.refreshToken) return login.accessToken;
  return withLock(`${options.authFile}.lock`, () => renew(options));
}

/** Under the lock, so whoever waited for it finds a login that is fresh. */
async function renew(options: AccessTokenOptions): Promise<string> {
  const login = await readStoredLogin(options.authFile);
  if (!login?.refreshToken) throw signInAgain("The stored login is gone.");
  if (!needsRefresh(login, options.now())) return login.accessToken;
  try {
    const tokens = await requestTokens(
      {
        url: login.tokenEndpoint,
        form: { grant_type: "refresh_token", refresh_token: login.refreshToken, client_id: login.clientId },
        headers: headersFor(login.tokenEndpoint, login, options.headers),
        timeoutMs: options.timeoutMs,
        onWait: options.onWait,
      },
      options.now,
    );
    const { expiresAt: _, ...rest } = login;
    await writeStoredLogin(options.authFile, { ...rest, ...tokens });
    return tokens.accessToken;
  } catch (error) {
    if (error instanceof GrantRefused) throw signInAgain(`The stored login was refused: ${error.message}`);
    // Out of reach, but the token still has some seconds to live: use them.
    if (error instanceof CliError && isAlive(login, options.now())) return login.accessToken;
    throw error;
  }
}

/** A proxy's credential is for the deployment it stands before, and for nobody else. */
export function headersFor(
  url: string,
  login: StoredLogin,
  headers: Record<string, string>,
): Record<string, string> {
  return login.apiUrl && new URL(login.apiUrl).origin === new URL(url).origin ? headers : {};
}

function isAlive(login: StoredLogin, now: number): boolean {
  return login.expiresAt !== undefined && login.expiresAt > now;
}

function signInAgain(message: string): CliError {
  return operationalError(message, { hint: "Sign in again with `fettle cloud login`." });
}
