/**
 * Meets servers' demands for a token with a refresh token, and keeps what comes back where it came from. A refresh token that rotates is
 * good once, and using it twice ends the login for good: so one refresh at a time, and whoever waited takes what it brought.
 * @module
 */
import {
  type AuthorizationDemand,
  type Authorize,
  authorizeWith,
  createHttpClient,
  isMcpError,
  latestStateful,
  localPolicy,
  McpError,
  type Recorder,
  type StoredCredential,
  type Target,
} from "@fettle/mcp";
import { shellWords } from "../output/shell-words.ts";
import { type CredentialKeep, keepInFile, keepInMemory } from "./credential-keep.ts";
import type { Renewal } from "./target.ts";

/** Less than a lock is held before it counts as abandoned. */
const refreshMs = 25_000;

/** One login, one keep, however many connections a command opens. */
const keeps = new WeakMap<Renewal, CredentialKeep>();

export function authorizeFrom(
  renewal: Renewal,
  target: Target,
  protocolVersion?: string,
  recorder?: Recorder,
): Authorize {
  const file = renewal.kind === "file" ? renewal.file : undefined;
  const serverUrl = target.kind === "http" ? target.url : "";
  const keep = keepOf(renewal, serverUrl);
  // A login that went by old rules is renewed by them.
  const rules = protocolVersion ?? file?.content.protocolVersion ?? latestStateful;

  async function refresh(demand: AuthorizationDemand, held: StoredCredential) {
    const conceal = ({ tokens = {} }: StoredCredential) => {
      for (const token of [tokens.accessToken, tokens.refreshToken]) if (token) recorder?.addSecret(token);
    };
    conceal(held);
    const client = createHttpClient({ policy: localPolicy, ...(recorder && { observer: recorder }) });
    try {
      return await authorizeWith({
        http: async () => client,
        serverUrl,
        protocolVersion: rules,
        credential: held,
        signal: AbortSignal.timeout(refreshMs),
        save: async (renewed) => {
          conceal(renewed);
          await keep.write(renewed);
        },
      })(demand);
    } catch (error) {
      throw isSpent(error) ? signInAgain(error, serverUrl, file?.path) : error;
    } finally {
      client.close();
    }
  }

  return (demand) =>
    keep.alone(async () => {
      const held = await keep.read();
      const accessToken = usableToken(held, demand);
      return accessToken === undefined ? refresh(demand, held) : { authorization: `Bearer ${accessToken}` };
    });
}

function keepOf(renewal: Renewal, serverUrl: string): CredentialKeep {
  const known = keeps.get(renewal);
  if (known) return known;
  const keep =
    renewal.kind === "file" ? keepInFile(renewal.file, serverUrl) : keepInMemory(renewal.credential);
  keeps.set(renewal, keep);
  return keep;
}

/** A token with less left may be over before it arrives. */
const lastMomentsMs = 1_000;

/** What another connection or process has got since, unless it is the very token that was refused. */
function usableToken({ tokens }: StoredCredential, { sent }: AuthorizationDemand): string | undefined {
  if (tokens?.accessToken === undefined || sent === `Bearer ${tokens.accessToken}`) return undefined;
  const isOver = tokens.expiresAt !== undefined && tokens.expiresAt - Date.now() < lastMomentsMs;
  return isOver ? undefined : tokens.accessToken;
}

function isSpent(error: unknown): error is McpError {
  return isMcpError(error, "OAUTH") && error.details.oauthError === "invalid_grant";
}

function signInAgain(cause: McpError, serverUrl: string, path = "credentials.json"): McpError {
  const command = shellWords(["fettle", "oauth", "login", "--url", serverUrl, "--credentials-out", path]);
  return new McpError("OAUTH", cause.message, {
    hint: `The refresh token is spent, expired or revoked. Sign in again: ${command}`,
    details: cause.details,
    cause,
  });
}
