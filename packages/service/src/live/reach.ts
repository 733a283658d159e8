/** @module From a saved server to what is needed to speak to it as one caller: its address, its secrets opened, the way there. */
import { ApiError, limits } from "@fettle/contract";
import {
  type ConnectOptions,
  type HttpTarget,
  type KnownSecret,
  type NetworkPolicy,
  parseTarget,
  secretsOf,
  stderrHeader,
  type Target,
} from "@fettle/mcp";
import type { App } from "../app.ts";
import { dialOwnTunnel } from "../relay/own-tunnel.ts";
import { openEndpoint } from "../servers/endpoint.ts";
import { openCredential, renewing } from "./credentials.ts";
import type { SavedServer } from "./store.ts";
import { secretsOfCredential } from "./stored-credential.ts";

/** Which addresses a URL of a person or a server may lead to. */
export function networkPolicy({ config }: Pick<App, "config">): NetworkPolicy {
  return { mode: config.mode, exceptions: config.networkExceptions };
}

/** A saved server made ready to be spoken to, as one caller. */
export interface Reach {
  target: Target;
  timeoutMs: number;
  options: Pick<ConnectOptions, "capabilities" | "authorize"> & { policy: NetworkPolicy };
  /** Hides, in whatever is told of the conversation, what was sent to be let in. */
  secrets: KnownSecret[];
}

export interface HttpReach extends Reach {
  target: HttpTarget;
}

/** Opens the secrets of the server and of the caller's credential. The service starts no commands, so stdio is refused. */
export async function reachServer(app: App, server: SavedServer): Promise<HttpReach> {
  const { url, headers = {}, clientSecret } = openEndpoint(app.vault, server);
  if (server.transportType === "stdio" || url === undefined) {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      "The service starts no commands. Reach this server through a tunnel.",
      {
        reason: "STDIO_NEEDS_TUNNEL",
        hint: "Run `fettle cloud tunnel --server <name> -- <command>` where the command lives.",
      },
    );
  }
  const credential = server.credential && openCredential(app, server.credential, url);
  const accessToken = credential?.tokens?.accessToken;
  const dial = await dialOwnTunnel(app, server.id, url);
  const policy = { ...networkPolicy(app), ...(dial && { dial }) };
  // An HTTP address was given, so an HTTP target is what comes back.
  const target = parseTarget({
    url,
    // A command that is served through a tunnel also tells what it writes on stderr.
    headers: dial ? { ...headers, [stderrHeader]: "1" } : headers,
    ...(accessToken !== undefined && { accessToken }),
  }) as HttpTarget;
  return {
    target,
    secrets: [
      ...secretsOf(target),
      ...secretsOfCredential(credential),
      ...(clientSecret === undefined ? [] : [clientSecret]),
    ],
    timeoutMs: server.settings.timeout ?? limits.request.ms.fallback,
    options: {
      policy,
      ...(server.settings.clientCapabilities && { capabilities: server.settings.clientCapabilities }),
      ...(server.credential &&
        credential && {
          authorize: renewing(app, server, server.credential.userId, credential, policy),
        }),
    },
  };
}
