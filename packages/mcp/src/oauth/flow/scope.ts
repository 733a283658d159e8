/** @module Which scope to ask for, and why that one. */
import type { JsonObject } from "../../messages/jsonrpc.ts";
import type { FoundGuardian } from "./find-guardian.ts";
import type { FlowContext } from "./flow-options.ts";
import type { Decision } from "./flow-step.ts";

export interface ChosenScope {
  /** Absent: the parameter is left out, and the authorization server decides. */
  scope?: string;
  decision: Decision;
}

/** What was asked for, else the challenge, else all that the resource knows, else all that the authorization server knows. */
export function chooseScope(
  { options, version, isAuto }: Pick<FlowContext, "options" | "version" | "isAuto">,
  { challenge, protectedResource, server }: Pick<FoundGuardian, "challenge" | "protectedResource" | "server">,
): ChosenScope {
  const resourceScopes = scopesOf(protectedResource?.metadata);
  const serverScopes = scopesOf(server);
  const offered = {
    ...(challenge?.scope !== undefined && { challenge: challenge.scope }),
    ...(resourceScopes && { resource: resourceScopes }),
    ...(serverScopes && { authorizationServer: serverScopes }),
  };
  const decide = (scope: string | undefined, why: string): ChosenScope => ({
    ...(scope !== undefined && { scope }),
    decision: { about: "Which scope", offered, picked: scope ?? null, why },
  });
  if (options.scopes !== undefined) return decide(options.scopes, "It was asked for.");
  const [found, why] =
    challenge?.scope !== undefined
      ? [challenge.scope, "The challenge names it."]
      : resourceScopes
        ? [resourceScopes.join(" "), "The resource's metadata names them."]
        : serverScopes
          ? [serverScopes.join(" "), "Only the authorization server names any."]
          : [undefined, "Nobody names any, so the parameter is left out."];
  if (found === undefined || found.split(" ").includes("offline_access")) return decide(found, why);
  // SEP-2207: a refresh token is a scope where the authorization server says so. A machine has no use for one.
  const wantsRefresh =
    (version >= "2026-07-28" || isAuto) &&
    options.authMode !== "client_credentials" &&
    serverScopes?.includes("offline_access");
  if (!wantsRefresh) return decide(found, why);
  return decide(`${found} offline_access`, `${why} offline_access is added for a refresh token.`);
}

/** What a client should be registered for: what it asks for now, and what this resource may ask of it later. */
export function scopeToRegister(
  scope: string | undefined,
  { protectedResource }: Pick<FoundGuardian, "protectedResource">,
): string | undefined {
  if (scope === undefined) return undefined;
  const known = scopesOf(protectedResource?.metadata) ?? [];
  return [...new Set([...scope.split(" "), ...known])].join(" ");
}

function scopesOf(metadata: JsonObject | undefined): string[] | undefined {
  const scopes = metadata?.scopes_supported;
  return Array.isArray(scopes) && scopes.length > 0 ? scopes.map(String) : undefined;
}
