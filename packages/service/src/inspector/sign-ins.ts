/** @module Signing in to a server in front of the one person there is: each turn of the flow is held by this process, what it gives is kept. */
import { ApiError, limits, type ServerId } from "@fettle/contract/core";
import type { ServerSignIn, ServerSignInWalk } from "@fettle/contract/servers";
import { type CallbackEnding, isSameState, localPolicy } from "@fettle/mcp";
import type { SealedWalk } from "../servers/sign-ins/sealed-walk.ts";
import type { Credentials } from "./credentials.ts";
import { localProjectId } from "./local-place.ts";
import type { LocalServer, SavedServers } from "./saved-servers.ts";

interface Held extends SealedWalk {
  revision: number;
  at: number;
  expiresAt: number;
  /** Somebody takes it further just now. */
  isBusy: boolean;
  /** Comes back with the browser, once. */
  state: string | null;
}

export interface LocalSignIns {
  read(server: LocalServer): { signIn: ServerSignIn | null };
  walk(server: LocalServer, request: ServerSignInWalk): Promise<{ signIn: ServerSignIn | null }>;
  /** What the authorization server sent the browser back with. Nothing when no sign-in waits for it: each waits for one, and not for long. */
  takeAnswer(query: URLSearchParams): Promise<CallbackEnding> | undefined;
  forget(serverId: ServerId): void;
}

interface Parts {
  /** Of the pages, where the person is sent back to. */
  url: string;
  /** Where authorization servers send the browser. */
  redirectUri: string;
  servers: SavedServers;
  credentials: Credentials;
  changed(): void;
}

export function createSignIns({ url, redirectUri, servers, credentials, changed }: Parts): LocalSignIns {
  const held = new Map<ServerId, Held>();

  /** One that was begun at another address is of nobody any more. */
  const ofServer = (server: LocalServer) => {
    const found = held.get(server.id);
    return found?.url === servers.endpointOf(server).url ? found : undefined;
  };

  function read(server: LocalServer): { signIn: ServerSignIn | null } {
    const found = ofServer(server);
    if (!found?.shown) return { signIn: null };
    const { shown, revision, at, expiresAt } = found;
    const isOver = shown.state !== "signed_in" && expiresAt <= Date.now();
    return {
      signIn: { ...shown, ...(isOver && { state: "expired", authorizationUrl: null }), revision, at },
    };
  }

  function begin(server: LocalServer): Held {
    const { url: address } = servers.endpointOf(server);
    if (server.transportType !== "http" || address === undefined) throw noConsent();
    const before = held.get(server.id);
    if (before?.isBusy) throw movedOn();
    const begun: Held = {
      url: address,
      redirectUri,
      run: "stage",
      revision: before?.revision ?? 0,
      at: Date.now(),
      expiresAt: Date.now() + limits.connections.lifetimeMs,
      isBusy: false,
      state: null,
    };
    held.set(server.id, begun);
    return begun;
  }

  function takeUp(server: LocalServer, revision: number): Held {
    const found = ofServer(server);
    const isOurs = found && !found.isBusy && found.revision === revision && found.expiresAt > Date.now();
    if (!isOurs) throw movedOn();
    return found;
  }

  async function goOn(server: LocalServer, walk: Held, back?: URL): Promise<void> {
    Object.assign(walk, { isBusy: true, revision: walk.revision + 1, at: Date.now() });
    try {
      // Asked for when somebody signs in: most never do.
      const [{ walkFlow }, { toShownWalk }] = await Promise.all([
        import("../servers/sign-ins/walk.ts"),
        import("../servers/sign-ins/shown-walk.ts"),
      ]);
      const walked = {
        endpoint: servers.endpointOf(server),
        settings: server.settings,
        clientMetadataUrl: undefined,
        policy: localPolicy,
        pin: (issuer: string) => servers.pinSecret(server, issuer),
        now: Date.now,
      };
      const { flow, claimsClientSecret } = await walkFlow(walked, walk, back);
      const address = flow.paused?.authorizationUrl;
      walk.shown = await toShownWalk(flow, { serverUrl: walk.url, claimsClientSecret });
      walk.state = address === undefined ? null : new URL(address).searchParams.get("state");
      if (flow.run.completed) delete walk.memory;
      else walk.memory = flow.memory;
      const { guardian, client, tokens } = flow.gains;
      if (!flow.run.completed || !guardian || !client || !tokens) return;
      const { issuer, resource } = guardian;
      const credential = { issuer, resource, client, grant: "refresh_token" as const, tokens };
      await credentials.keep(server.id, { serverUrl: walk.url, credential });
      if (!server.settings.useOAuth) await servers.update(server, { useOAuth: true });
    } finally {
      walk.isBusy = false;
      changed();
    }
  }

  return {
    read,
    async walk(server, { revision, run }) {
      const walk = revision === null ? begin(server) : takeUp(server, revision);
      walk.run = run;
      await goOn(server, walk);
      return read(server);
    },
    takeAnswer(query) {
      const [serverId, walk] =
        [...held].find(([, each]) => isSameState(query.get("state"), each.state)) ?? [];
      const server = serverId && servers.find(serverId);
      const isWaiting = server && walk && walk === ofServer(server) && !walk.isBusy;
      if (!isWaiting || walk.expiresAt <= Date.now()) return undefined;
      walk.state = null;
      const page = `${url}/p/${localProjectId}/servers/${server.id}/auth`;
      // How it went stands there, also when it went wrong.
      return goOn(server, walk, new URL(`?${query}`, walk.redirectUri)).then(() => ({
        kind: "page",
        address: page,
      }));
    },
    forget: (serverId) => void held.delete(serverId),
  };
}

const noConsent = () =>
  new ApiError("FEATURE_NOT_SUPPORTED", "This server runs a command; there is nothing to consent to.", {
    code: "UNSUPPORTED_AUTH_METHOD",
  });

const movedOn = () =>
  new ApiError("CONFLICT", "This sign-in has gone on elsewhere, or its hour is over.", {
    code: "SIGN_IN_MOVED",
    hint: "Look at it again, or begin anew.",
  });
