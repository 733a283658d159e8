/** @module Who we are to an authorization server: a client saved with the server, our public metadata document, or one registered on the spot. */

import { ApiError, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { clientMetadata, type HttpClient, type OauthClient, registerClient } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import type { Config } from "../../core/config/config.ts";
import { isLoopbackHost } from "../../core/config/option-values.ts";
import { missing } from "../../core/routing/not-found.ts";
import type { RawRoute } from "../../core/routing/raw-route.ts";
import type { AuthorizationPlan } from "../../core/tables/server-connections.ts";
import { openEndpoint } from "../saved/endpoint.ts";
import { pinClientSecret } from "../saved/servers.ts";
import type { ServerRow } from "../saved/store.ts";
import { callbackPath, clientName } from "./callback-page.ts";

const metadataPath = "/oauth/client-metadata.json";

export type Registration = "saved" | "document" | "dynamic";

/** In the order the MCP authorization specification asks for; `fault` when there is no way. */
export function chooseRegistration(
  config: Pick<Config, "publicUrl">,
  metadata: Record<string, unknown>,
  server: Pick<ServerRow, "settings"> | undefined,
): { kind: Registration; fault?: undefined } | { kind?: undefined; fault: string } {
  if (server?.settings.clientId) return { kind: "saved" };
  if (metadata.client_id_metadata_document_supported === true && documentUrl(config))
    return { kind: "document" };
  if (typeof metadata.registration_endpoint === "string") return { kind: "dynamic" };
  return { fault: "it registers no clients by itself, and no client id is saved with the server" };
}

export async function becomeClient(
  app: App,
  plan: AuthorizationPlan,
  server: ServerRow | undefined,
  { userId, ...request }: { http: HttpClient; redirectUri: string; userId: UserId },
): Promise<OauthClient> {
  const chosen = chooseRegistration(app.config, plan.server, server);
  switch (chosen.kind) {
    case "saved": {
      const saved = must(server, "the server that the client is saved with");
      const { clientSecret } = openEndpoint(app.vault, saved);
      if (clientSecret !== undefined) {
        await pinClientSecret(app, saved, { issuer: plan.issuer, userId });
      }
      const clientId = must(saved.settings.clientId, "the id of a saved client");
      return { clientId, ...(clientSecret !== undefined && { clientSecret }) };
    }
    case "document":
      return { clientId: must(documentUrl(app.config), "the address of our own document") };
    case "dynamic":
      return registerClient({
        ...request,
        server: plan.server,
        clientName,
        scope: plan.scope,
        suppliedFrom: plan.zone,
      });
    default:
      throw new ApiError(
        "FEATURE_NOT_SUPPORTED",
        `The authorization server cannot be used: ${chosen.fault}.`,
        {
          code: "UNSUPPORTED_AUTH_METHOD",
        },
      );
  }
}

/** Only an address that the authorization server can fetch names us. */
export function documentUrl({ publicUrl }: Pick<Config, "publicUrl">): string | undefined {
  const isPublic = publicUrl?.protocol === "https:" && !isLoopbackHost(publicUrl.hostname);
  return isPublic ? publicUrl.origin + metadataPath : undefined;
}

export const clientDocumentRoute: RawRoute = {
  id: "getClientMetadata",
  methods: ["GET"],
  path: metadataPath,
  policy: "public",
  why: "Read by authorization servers to learn who asks (client id metadata document); says nothing that is not on the consent page.",
  handle: ({ app, reply }) => {
    const url = documentUrl(app.config);
    if (!url)
      throw missing(
        "This service has no public https address to be known by.",
        "Set FETTLE_PUBLIC_URL to the https address that the service is reached by.",
      );
    const { origin } = new URL(url);
    const redirectUri = origin + callbackPath;
    return reply
      .header("cache-control", "public, max-age=300")
      .type("application/json")
      .send({
        client_id: url,
        client_uri: origin,
        ...clientMetadata({ clientName, redirectUri }, "none"),
      });
  },
};
