/** @module From the flags of `oauth login` and `oauth conformance` to a flow; what cannot go together is refused before anything is asked. */
import {
  type AuthMode,
  assertionKeyFrom,
  checkOauthUrl,
  checkUrl,
  type FlowOptions,
  type OauthVersion,
  type Registration,
} from "@fettle/mcp";
import { usageError } from "../cli-error.ts";
import { asUsageError } from "../connection/failure.ts";
import { readHeader } from "../connection/target.ts";
import type { Input } from "../input/input.ts";
import { version } from "../version.ts";

export interface FlowFlags {
  url: string;
  protocolVersion?: OauthVersion | undefined;
  registration?: Registration | undefined;
  authMode?: AuthMode | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  clientKey?: string | undefined;
  assertion?: string | undefined;
  clientMetadataUrl?: string | undefined;
  redirectUrl?: string | undefined;
  scopes?: string | undefined;
  header: string[];
  stepTimeout?: number | undefined;
}

/** All but where a person comes back to, which is known once a port is. */
export type FlowPlan = Omit<FlowOptions, "redirectUri" | "strict"> & { redirectUrl?: URL };

export async function planFlow(flags: FlowFlags, input: Input): Promise<FlowPlan> {
  const authMode = flags.authMode ?? "interactive";
  const plan: FlowPlan = {
    serverUrl: readUrl("--url", flags.url, checkUrl),
    authMode,
    headers: Object.fromEntries(flags.header.map(readHeader)),
    clientInfo: { name: "fettle", version },
    protocolVersion: flags.protocolVersion,
    registration: flags.registration,
    clientId: flags.clientId,
    clientSecret: flags.clientSecret,
    clientKey: flags.clientKey,
    assertion: flags.assertion,
    scopes: flags.scopes,
    stepTimeoutMs: flags.stepTimeout,
    ...(flags.clientMetadataUrl !== undefined && {
      clientMetadataUrl: readUrl("--client-metadata-url", flags.clientMetadataUrl, checkOauthUrl),
    }),
    ...(flags.redirectUrl !== undefined && { redirectUrl: readRedirect(flags.redirectUrl, authMode) }),
  };
  refuseConflicts(plan, {
    clientId: "--client-id",
    clientSecret: "--client-secret",
    clientMetadataUrl: "--client-metadata-url",
  });
  return {
    ...plan,
    ...(flags.clientKey !== undefined && { clientKey: await readKey(input, flags.clientKey) }),
    ...(flags.assertion !== undefined && {
      assertion: (await input.file("--assertion", flags.assertion)).trim(),
    }),
  };
}

async function readKey(input: Input, path: string): Promise<string> {
  const text = await input.file("--client-key", path);
  try {
    assertionKeyFrom(text);
    return text;
  } catch (error) {
    throw asUsageError(error);
  }
}

/** How the fields are called where they were written, for the message. */
export interface FieldNames {
  clientId: string;
  clientSecret: string;
  clientMetadataUrl: string;
}

export function refuseConflicts(
  plan: Pick<
    FlowPlan,
    | "registration"
    | "authMode"
    | "protocolVersion"
    | "clientId"
    | "clientSecret"
    | "clientKey"
    | "assertion"
    | "clientMetadataUrl"
  >,
  names: FieldNames,
): void {
  const { registration, authMode, protocolVersion, clientId, clientSecret, clientKey } = plan;
  const { clientMetadataUrl, assertion } = plan;
  if (registration === "preregistered" && clientId === undefined) {
    throw usageError(`Registration preregistered needs ${names.clientId}.`);
  }
  if (clientSecret !== undefined && clientId === undefined) {
    throw usageError(`${names.clientSecret} needs ${names.clientId}.`);
  }
  const isMachine = authMode === "client_credentials";
  if (isMachine && registration === "cimd") {
    throw usageError(
      "A client known by its document has no secret: cimd and client_credentials do not go together.",
    );
  }
  const isGiven = registration === "preregistered" || (registration === undefined && clientId !== undefined);
  if (clientKey !== undefined && (clientSecret !== undefined || !isGiven)) {
    throw usageError("--client-key goes with --client-id of a preregistered client, instead of a secret.");
  }
  if (assertion !== undefined && (!isMachine || !isGiven)) {
    throw usageError(
      "--assertion goes with --auth-mode client_credentials and the --client-id it stands for.",
    );
  }
  const hasProof = clientSecret !== undefined || clientKey !== undefined || assertion !== undefined;
  if (isMachine && isGiven && !hasProof) {
    throw usageError(`client_credentials with a preregistered client needs ${names.clientSecret}.`);
  }
  if (registration === "cimd" && protocolVersion !== undefined && protocolVersion < "2025-11-25") {
    throw usageError(`cimd exists from 2025-11-25 on, not in ${protocolVersion}.`);
  }
  if (registration === "cimd" && clientMetadataUrl === undefined) {
    throw usageError(
      `Registration cimd needs ${names.clientMetadataUrl}: the address of our metadata document.`,
    );
  }
}

export function readUrl(name: string, typed: string, check: (address: string) => URL): string {
  try {
    check(typed);
    // As it was written: a document's address is compared character by character.
    return typed;
  } catch (error) {
    const refusal = asUsageError(error);
    if (refusal instanceof Error) throw usageError(`${name}: ${refusal.message}`, { cause: error });
    throw refusal;
  }
}

export function readRedirect(typed: string, authMode: AuthMode, name = "--redirect-url"): URL {
  const url = new URL(readUrl(name, typed, checkUrl));
  const isOurs = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (authMode === "interactive" && !isOurs) {
    throw usageError(`${name} must be http on localhost or 127.0.0.1: this command waits there.`);
  }
  return url;
}
