/** @module Operations of the OAuth tag: tokens obtained elsewhere. */
import { access, operation } from "../../core/operation.ts";
import { ImportTokensRequest, ImportTokensResult } from "../mcp.ts";

const tag = "OAuth";

export const importOAuthTokens = operation({
  id: "importOAuthTokens",
  tag,
  method: "POST",
  path: "/projects/{projectId}/servers/{serverId}/oauth/import-tokens",
  access: access.project.read,
  summary: "Store OAuth tokens obtained elsewhere for a server",
  description:
    "Stores tokens that were obtained elsewhere as the caller's own credential for a server. `serverUrl` has to be the server's address.",
  effect: "person",
  errors: ["VALIDATION_ERROR"],
  built: true,
  body: ImportTokensRequest,
  output: ImportTokensResult,
});
