/** @module What a flow got, as it is printed and as it is kept: printed whole when printing is the purpose, else in a file of the person's own. */
import { resolve } from "node:path";
import type { OauthRun } from "@fettle/checks";
import type { FlowGains } from "@fettle/mcp";
import { operationalError } from "../cli-error.ts";
import { type CredentialsFile, writeCredentials } from "../connection/credentials-file.ts";
import type { World } from "../world.ts";

export interface ShownCredentials {
  clientId?: string;
  clientSecret?: string;
  accessToken?: string;
  refreshToken?: string;
  tokenType?: string;
  /** Seconds. */
  expiresIn?: number;
}

export function credentialsOf({ client, tokens }: FlowGains, now: number): ShownCredentials {
  return {
    ...(client && { clientId: client.clientId }),
    ...(client?.clientSecret !== undefined && { clientSecret: client.clientSecret }),
    ...(tokens && { accessToken: tokens.accessToken, tokenType: tokens.tokenType }),
    ...(tokens?.refreshToken !== undefined && { refreshToken: tokens.refreshToken }),
    ...(tokens?.expiresAt !== undefined && { expiresIn: Math.round((tokens.expiresAt - now) / 1_000) }),
  };
}

const savedText = "[SAVED_TO_FILE]";
const secretFields = ["clientSecret", "accessToken", "refreshToken"] as const;

/** What stands in the output once the real values are in a file. */
export function withoutSecrets(credentials: ShownCredentials): ShownCredentials {
  const shown = { ...credentials };
  for (const field of secretFields) if (shown[field] !== undefined) shown[field] = savedText;
  return shown;
}

/** Answers the absolute path. */
export async function keepCredentials(
  world: Pick<World, "cwd">,
  path: string,
  kept: { serverUrl: string; protocolVersion: string; gains: FlowGains },
): Promise<string> {
  const { client, tokens } = kept.gains;
  const absolute = resolve(world.cwd, path);
  const content: CredentialsFile = {
    version: 1,
    serverUrl: kept.serverUrl,
    ...(tokens && { accessToken: tokens.accessToken, tokenType: tokens.tokenType }),
    ...(tokens?.refreshToken !== undefined && { refreshToken: tokens.refreshToken }),
    ...(client && { clientId: client.clientId }),
    ...(client?.clientSecret !== undefined && { clientSecret: client.clientSecret }),
    ...(tokens?.expiresAt !== undefined && { expiresAt: new Date(tokens.expiresAt).toISOString() }),
    protocolVersion: kept.protocolVersion,
  };
  try {
    await writeCredentials(absolute, content);
  } catch (cause) {
    throw operationalError(
      `--credentials-out could not be written: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    );
  }
  return absolute;
}

/** What a judged run shows of its credentials: no secret either way, because printing them is not its purpose. */
export async function keepJudgedCredentials(
  world: Pick<World, "cwd" | "now">,
  path: string | undefined,
  { report, gains }: OauthRun,
): Promise<{ credentials?: ShownCredentials; credentialsFile?: string }> {
  if (!gains.tokens) return {};
  const shown = credentialsOf(gains, world.now());
  if (path === undefined) {
    const { clientSecret: _secret, accessToken: _access, refreshToken: _refresh, ...credentials } = shown;
    return { credentials };
  }
  const { serverUrl, protocolVersion } = report;
  const credentialsFile = await keepCredentials(world, path, { serverUrl, protocolVersion, gains });
  return { credentials: withoutSecrets(shown), credentialsFile };
}
