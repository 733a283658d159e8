/** @module OAuth credentials at work: imported, handed to the connection, refreshed once for all processes. */
import { ApiError, type ServerId, type UserId } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { ImportTokensRequest } from "@fettle/contract/servers";
import {
  type Authorize,
  authorizeWith,
  createHttpClient,
  isBearerType,
  isFresh,
  type NetworkPolicy,
  type StoredCredential,
} from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import type { ServerRow } from "../saved/store.ts";
import { wholeAddress } from "../saved/unmasked-address.ts";
import * as store from "./credentials-store.ts";
import { isSameServer } from "./stored-credential.ts";

const place = (row: { serverId: ServerId; userId: UserId }) =>
  `server_credentials/${row.serverId}/${row.userId}`;

/** The person's own credential for this server, when it was obtained for the address the server has now. */
export async function readCredential(
  app: App,
  db: Querier,
  server: ServerRow,
  userId: UserId,
): Promise<StoredCredential | undefined> {
  const row = await store.findCredential(db, server.id, userId);
  return row && openCredential(app, row, openEndpoint(app.vault, server).url);
}

/** What the row holds, when it was obtained for this address. */
export function openCredential(
  app: App,
  row: store.CredentialRow,
  url: string | undefined,
): StoredCredential | undefined {
  if (!isSameServer(row.serverUrl, url)) return undefined;
  // Only `writeCredential` fills the column, and the vault refuses what was altered.
  return JSON.parse(app.vault.open(row.sealed, place(row)).reveal()) as StoredCredential;
}

export async function importTokens(
  app: App,
  db: Querier,
  server: ServerRow,
  userId: UserId,
  request: ImportTokensRequest,
): Promise<{ imported: true; expiresAt: number | null }> {
  const { url } = openEndpoint(app.vault, server);
  // It may have been read from the server's own entry, which masks it.
  const serverUrl = wholeAddress(request.serverUrl, url, {
    path: "body.serverUrl",
    hint: "Send the address back as the saved server shows it, or with every value.",
  });
  if (!isSameServer(serverUrl, url)) {
    throw new ApiError("VALIDATION_ERROR", "These tokens are for another address than the saved server's.", {
      path: "body.serverUrl",
      code: "SERVER_URL_MISMATCH",
    });
  }
  const { tokens, clientInformation, oauthResourceUrl, authorizationServerUrl } = request;
  if (!isBearerType(tokens.token_type)) {
    throw new ApiError("VALIDATION_ERROR", "Only tokens of the type Bearer can be used.", {
      path: "body.tokens.token_type",
    });
  }
  if (tokens.refresh_token !== undefined && !clientInformation) {
    throw new ApiError(
      "VALIDATION_ERROR",
      "A refresh token is of no use without the client it was given to.",
      {
        path: "body.clientInformation",
      },
    );
  }
  if (tokens.refresh_token !== undefined && authorizationServerUrl === undefined) {
    throw new ApiError("VALIDATION_ERROR", "A refresh token needs the authorization server that gave it.", {
      path: "body.authorizationServerUrl",
      code: "ISSUER_REQUIRED",
      hint: "Name its issuer, or leave the refresh token out: it is sent to nobody that only the server names.",
    });
  }
  const expiresAt = tokens.expires_in === undefined ? null : app.now() + Math.round(tokens.expires_in * 1000);
  await writeCredential(
    app,
    db,
    { serverId: server.id, userId, serverUrl },
    {
      client: {
        clientId: clientInformation?.clientId ?? "",
        ...(clientInformation?.clientSecret !== undefined && {
          clientSecret: clientInformation.clientSecret,
        }),
      },
      grant: "refresh_token",
      ...(oauthResourceUrl !== undefined && { resource: oauthResourceUrl }),
      ...(authorizationServerUrl !== undefined && { issuer: authorizationServerUrl }),
      tokens: {
        accessToken: tokens.access_token,
        tokenType: "Bearer",
        ...(expiresAt !== null && { expiresAt }),
        ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
        ...(tokens.scope !== undefined && { scope: tokens.scope }),
      },
    },
  );
  return { imported: true, expiresAt };
}

/**
 * Answers a server's 401: with the token another process has refreshed meanwhile, or by refreshing it. One at a time,
 * because many authorization servers end the whole grant when a refresh token comes twice.
 */
export function renewing(
  app: App,
  server: ServerRow,
  userId: UserId,
  used: StoredCredential,
  policy: NetworkPolicy,
): Authorize {
  const serverUrl = openEndpoint(app.vault, server).url ?? "";
  let sent = used.tokens?.accessToken;
  return (demand) =>
    store.holdingCredential(app.db, server.id, userId, async (db) => {
      const current = await readCredential(app, db, server, userId);
      const accessToken = current?.tokens?.accessToken;
      if (!current || !accessToken) return undefined;
      // Stored before the issuer had to be named: whoever the server names now may be anybody.
      if (current.issuer === undefined) return undefined;
      if (accessToken !== sent && isFresh(current.tokens, app.now())) {
        sent = accessToken;
        return { authorization: `Bearer ${accessToken}` };
      }
      const renew = authorizeWith({
        http: async () => createHttpClient({ policy }),
        serverUrl,
        protocolVersion: server.settings.oauthProtocolVersion ?? "2025-11-25",
        credential: current,
        save: async (renewed) => {
          sent = renewed.tokens?.accessToken;
          await writeCredential(app, db, { serverId: server.id, userId, serverUrl }, renewed);
        },
      });
      return renew(demand);
    });
}

/** The one way a credential is kept: sealed for its server and person. */
export async function writeCredential(
  app: App,
  db: Querier,
  row: { serverId: ServerId; userId: UserId; serverUrl: string },
  value: StoredCredential,
): Promise<void> {
  await store.putCredential(db, {
    ...row,
    sealed: app.vault.seal(new Secret(JSON.stringify(value)), place(row)),
    updatedAt: new Date(app.now()),
  });
}
