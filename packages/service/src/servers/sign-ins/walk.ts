/** @module One turn of a sign-in that goes on by a person's clicks: the flow of `mcp`, taken up from what it remembers. */
import { ApiError } from "@fettle/contract/core";
import { watchedLimits } from "@fettle/contract/servers";
import { type Flow, McpError, type NetworkPolicy, oauthVersions, runFlow } from "@fettle/mcp";
import { clientName } from "../connections/callback-page.ts";
import type { ServerEndpoint } from "../saved/endpoint.ts";
import type { ShownRow } from "../saved/saved.ts";
import type { SealedWalk } from "./sealed-walk.ts";

export interface WalkedServer {
  endpoint: Pick<ServerEndpoint, "headers" | "clientSecret" | "clientSecretIssuer">;
  settings: ShownRow["settings"];
  /** Where an authorization server can read who asks. */
  clientMetadataUrl: string | undefined;
  policy: NetworkPolicy;
  /** The client's secret is this issuer's from now on; throws where it is another's. */
  pin(issuer: string): Promise<void>;
  now(): number;
}

export interface Walked {
  flow: Flow;
  /** Going on says that the client's secret, which nobody has used, is this issuer's. */
  claimsClientSecret: boolean;
}

export async function walkFlow(
  { endpoint, settings, clientMetadataUrl, policy, pin, now }: WalkedServer,
  walk: SealedWalk,
  back: URL | undefined,
): Promise<Walked> {
  const { headers, clientSecret, clientSecretIssuer } = endpoint;
  const { clientId, oauthScopes, oauthProtocolVersion } = settings;
  const isUnclaimed =
    clientId !== undefined && clientSecret !== undefined && clientSecretIssuer === undefined;
  const signal = AbortSignal.timeout(watchedLimits.walkMs);
  for (let { memory } = walk; ; ) {
    // Whom an unused secret is for is said by going on from here, so nothing is registered before the issuer was seen.
    const isHeldBack = isUnclaimed && !memory?.steps.some(({ record }) => record.step === issuerIsRead);
    const flow = await runFlow({
      serverUrl: walk.url,
      authMode: "interactive",
      strict: false,
      redirectUri: walk.redirectUri,
      protocolVersion: oauthVersions.find((version) => version === oauthProtocolVersion),
      headers,
      scopes: oauthScopes?.length ? oauthScopes.join(" ") : undefined,
      clientName,
      clientId,
      clientMetadataUrl,
      clientOf: async (issuer) => {
        if (isHeldBack || clientId === undefined || clientSecret === undefined) return undefined;
        await pin(issuer).catch(toFailedStep);
        return { clientId, clientSecret };
      },
      askPerson: async () => back,
      policy,
      stepTimeoutMs: watchedLimits.stepMs,
      recording: watchedLimits.recording,
      signal,
      now,
      memory,
      oneStage: isHeldBack || walk.run === "stage",
    });
    memory = flow.memory;
    const isDone = walk.run === "stage" || !isHeldBack || !flow.paused;
    const isSeen = memory.steps.some(({ record }) => record.step === issuerIsRead);
    if (isDone || isSeen) return { flow, claimsClientSecret: isUnclaimed && flow.paused !== undefined };
  }
}

const issuerIsRead = "received_authorization_server_metadata";

/** A refusal to send the secret is a step that fails, and is told where it belongs. */
function toFailedStep(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new McpError("OAUTH", error.message, { hint: String(error.details?.hint ?? "") });
}
