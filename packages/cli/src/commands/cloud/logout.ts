/** @module `fettle cloud logout`: forgets the login here, and asks the service to forget it too. */
import { headersFor } from "../../cloud/access-token.ts";
import { parseApiHeaders } from "../../cloud/api-headers.ts";
import { resolveCredential } from "../../cloud/credential.ts";
import { defaultTimeoutMs } from "../../cloud/reach-deployment.ts";
import { readStoredLogin, removeStoredLogin, type StoredLogin } from "../../cloud/stored-login.ts";
import { revokeToken } from "../../cloud/token-grant.ts";
import { authFile } from "../../files/home.ts";
import { withLock } from "../../files/lock.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { noFlags } from "../../program/shared-flags.ts";

/** Nobody should have to wait long for a service that is gone to forget them. */
const longestWait = 5000;

export async function run(call: Call<typeof noFlags, NoArguments>): Promise<Outcome> {
  const { world, print } = call;
  const file = authFile(world);
  const headers = parseApiHeaders(call.credentials.apiHeader, world.env.FETTLE_API_HEADERS);
  const login = await readStoredLogin(file);
  if (login) {
    // Under the lock, so that a refresh on its way does not write the login back.
    await withLock(`${file}.lock`, () => removeStoredLogin(file));
    const timeoutMs = Math.min(call.global.timeout ?? defaultTimeoutMs, longestWait);
    const isForgotten = await revoke(login, headers, timeoutMs);
    if (!isForgotten) {
      print.warn("The service could not be told; the login ends there by itself, or under Account, Devices.");
    }
  }
  const key = resolveCredential({ flag: undefined, env: world.env.FETTLE_API_KEY, login: undefined, now: 0 });
  if (print.format === "human" && key.kind === "api-key" && !key.error) {
    print.warn("FETTLE_API_KEY is set: commands stay authenticated with that key.");
  }
  return {
    value: { status: login ? "logged_out" : "not_logged_in", authFile: file },
    human: () => (login ? text`${style.green("✓")} Signed out` : text`You were not signed in.`),
  };
}

async function revoke(
  login: StoredLogin,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<boolean> {
  if (!login.revocationEndpoint) return false;
  return revokeToken({
    url: login.revocationEndpoint,
    form: { token: login.refreshToken ?? login.accessToken, client_id: login.clientId },
    headers: headersFor(login.revocationEndpoint, login, headers),
    timeoutMs,
  });
}
