/** @module `fettle cloud login`: approves this machine in the browser and keeps the login. */
import { hostname } from "node:os";
import { type ClientOptions, createClient } from "@fettle/contract/client";
import { limits } from "@fettle/contract/core";
import { canOpenBrowser, openBrowser } from "../../browser/open-browser.ts";
import { operationalError, usageError } from "../../cli-error.ts";
import { parseApiHeaders } from "../../cloud/api-headers.ts";
import { type AuthConfig, fetchAuthConfig } from "../../cloud/auth-config.ts";
import { listenForCode } from "../../cloud/login-listener.ts";
import { createPkce } from "../../cloud/pkce.ts";
import { checkedDeployment, defaultTimeoutMs } from "../../cloud/reach-deployment.ts";
import { sayWait } from "../../cloud/say-wait.ts";
import { readStoredLogin, type StoredLogin, writeStoredLogin } from "../../cloud/stored-login.ts";
import { GrantRefused, requestTokens, type Tokens } from "../../cloud/token-grant.ts";
import { authFile } from "../../files/home.ts";
import { withLock } from "../../files/lock.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts } from "../../output/table.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { loginFlags } from "./flags.ts";

const approvalMs = limits.consent.personMs;

type LoginCall = Call<typeof loginFlags, NoArguments>;

export async function run(call: LoginCall): Promise<Outcome> {
  if (call.credentials.apiKey !== undefined) {
    throw usageError("--api-key has no use here: a login replaces keys.");
  }
  const { world, print } = call;
  const file = authFile(world);
  const before = await readStoredLogin(file);
  const { apiUrl } = checkedDeployment(
    call,
    before ? { kind: "oauth", source: "oauth", login: before } : { kind: "none", source: "missing" },
  );
  const headers = parseApiHeaders(call.credentials.apiHeader, world.env.FETTLE_API_HEADERS);
  const timeoutMs = call.global.timeout ?? defaultTimeoutMs;
  const request = { headers, timeoutMs, onWait: sayWait(call.print) };
  const config = await fetchAuthConfig({ apiUrl, ...request });
  const tokens = await approveInBrowser(call, config, request);
  if (!tokens.refreshToken) {
    throw operationalError(
      "The service gave no refresh token, so the login would not last. Nothing was saved.",
    );
  }
  const account = await lookUpAccount(call, apiUrl, tokens, request);
  const login: StoredLogin = {
    version: 1,
    issuer: config.issuer,
    clientId: config.clientId,
    tokenEndpoint: config.tokenEndpoint.href,
    ...(config.revocationEndpoint && { revocationEndpoint: config.revocationEndpoint.href }),
    apiUrl,
    ...account,
    ...tokens,
  };
  await withLock(`${file}.lock`, () => writeStoredLogin(file, login));
  if (world.env.FETTLE_API_KEY?.trim())
    print.warn("FETTLE_API_KEY is set, and is used instead of this login.");
  return outcome(login, apiUrl, file);
}

async function approveInBrowser(
  call: LoginCall,
  config: AuthConfig,
  request: Pick<ClientOptions, "onWait"> & { headers: Record<string, string>; timeoutMs: number },
): Promise<Tokens> {
  const { verifier, challenge, state } = createPkce();
  const donePage = new URL("/cli/done", config.authStartUrl);
  const listener = await listenForCode({ ...config, donePage, state, waitMs: approvalMs });
  let outcome: "signed-in" | "failed" = "failed";
  try {
    const url = new URL(config.authStartUrl);
    for (const [name, value] of Object.entries({
      response_type: "code",
      client_id: config.clientId,
      redirect_uri: listener.redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
      device_name: hostname(),
    })) {
      url.searchParams.set(name, value);
    }
    showAddress(call, url);
    const done = call.print.progress("Waiting for you to approve in the browser, up to 5 minutes ...");
    const code = await listener.code.finally(done);
    const tokens = await requestTokens(
      {
        url: config.tokenEndpoint.href,
        form: {
          grant_type: "authorization_code",
          code,
          redirect_uri: listener.redirectUri,
          code_verifier: verifier,
          client_id: config.clientId,
        },
        ...request,
      },
      call.world.now,
    );
    outcome = "signed-in";
    return tokens;
  } catch (cause) {
    if (cause instanceof GrantRefused) throw operationalError(`Not signed in: ${cause.message}`, { cause });
    throw cause;
  } finally {
    await listener.finish(outcome);
  }
}

/** Without a browser the address is all there is, so not even --quiet keeps it back. */
function showAddress(call: LoginCall, url: URL): void {
  const opens = !call.flags.noBrowser && canOpenBrowser(call.world);
  if (opens) {
    openBrowser(url);
    call.print.note("Opening your browser. If it does not open, go to:");
    call.print.note(url.href);
  } else {
    call.print.prompt(text`Open this address to approve the login:\n${url.href}`);
  }
}

/** Nice to have: the login is good without it. */
async function lookUpAccount(
  call: LoginCall,
  apiUrl: string,
  { accessToken }: Tokens,
  request: Pick<ClientOptions, "onWait"> & { headers: Record<string, string>; timeoutMs: number },
): Promise<{ email?: string; plan?: string }> {
  try {
    const me = await createClient({ baseUrl: apiUrl, token: accessToken, ...request }).getMe();
    return { email: me.email, ...(me.plan && { plan: me.plan }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    call.print.warn(`Signed in, but the account could not be looked up: ${reason}`);
    return {};
  }
}

function outcome({ issuer, email, plan, expiresAt }: StoredLogin, apiUrl: string, file: string): Outcome {
  return {
    value: {
      status: "logged_in",
      issuer,
      apiUrl,
      authFile: file,
      ...(email && { email }),
      ...(plan && { plan }),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    },
    human: () =>
      lines([
        text`${style.green("✓")} Signed in${email ? text` as ${style.bold(email)}` : ""}`,
        facts([
          ["Deployment", apiUrl],
          ["Plan", plan],
          ["Kept in", file],
        ]),
      ]),
    hint: style.cyan("fettle cloud projects list"),
  };
}
