/** @module From a saved server to what is needed to speak to it as one caller: its address, its secrets opened, the way there. */
import { limits } from "@fettle/contract/core";
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
import type { App } from "../../core/app.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { dialOwnTunnel } from "../relay/own-tunnel.ts";
import { openEndpoint, type ServerEndpoint } from "../saved/endpoint.ts";
import { needsTunnel, requireImage } from "../saved/server-image.ts";
import { openCredential, renewing } from "./credentials.ts";
import type { SavedServer } from "./store.ts";
import { secretsOfCredential } from "./stored-credential.ts";

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

/** Opens the secrets of the server and of the caller's credential. */
export async function reachServer(app: App, server: SavedServer): Promise<Reach> {
  const endpoint = openEndpoint(app.vault, server);
  return server.transportType === "stdio"
    ? reachCommand(app, server, endpoint)
    : reachAddress(app, server, endpoint);
}

/** For what is asked only of servers with an address. */
export async function reachOverHttp(app: App, server: SavedServer): Promise<HttpReach> {
  if (server.transportType === "stdio") throw needsTunnel();
  return reachAddress(app, server, openEndpoint(app.vault, server));
}

/** The service starts no commands on its own machine: one runs in a container, or is refused. */
async function reachCommand(app: App, server: SavedServer, endpoint: ServerEndpoint): Promise<Reach> {
  const { command, args = [], env = {} } = endpoint;
  if (command === undefined) throw needsTunnel();
  const { engine, image } = await requireImage(app, server);
  const { projectId, id: serverId } = server;
  const start = await app.serverSandboxes.starting(app, { engine, image, projectId, serverId });
  const target: Target = { kind: "stdio", command, args, env, start };
  return {
    target,
    secrets: secretsOf(target),
    timeoutMs: timeoutOf(server),
    options: { policy: networkPolicy(app), ...capabilitiesOf(server) },
  };
}

async function reachAddress(app: App, server: SavedServer, endpoint: ServerEndpoint): Promise<HttpReach> {
  const { url, headers = {}, clientSecret } = endpoint;
  if (url === undefined) throw needsTunnel();
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
    timeoutMs: timeoutOf(server),
    options: {
      policy,
      ...capabilitiesOf(server),
      ...(server.credential &&
        credential && {
          authorize: renewing(app, server, server.credential.userId, credential, policy),
        }),
    },
  };
}

const timeoutOf = ({ settings }: SavedServer) => settings.timeout ?? limits.request.ms.fallback;

function capabilitiesOf({
  settings: { clientCapabilities },
}: SavedServer): Pick<ConnectOptions, "capabilities"> {
  return clientCapabilities ? { capabilities: clientCapabilities } : {};
}
