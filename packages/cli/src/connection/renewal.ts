/** @module Meets a server's demand for a token with a refresh token, and keeps what comes back where it came from. */
import {
  type Authorize,
  authorizeWith,
  createHttpClient,
  latestStateful,
  localPolicy,
  type Recorder,
  type Target,
} from "@fettle/mcp";
import { saveCredentials } from "./credentials-file.ts";
import type { Renewal } from "./target.ts";

export function authorizeFrom(
  { credential, file }: Renewal,
  target: Target,
  protocolVersion?: string,
  recorder?: Recorder,
): Authorize {
  // A login that went by old rules is renewed by them.
  const rules = protocolVersion ?? file?.content.protocolVersion ?? latestStateful;
  return async (demand) => {
    const client = createHttpClient({ policy: localPolicy, ...(recorder && { observer: recorder }) });
    const authorize = authorizeWith({
      http: async () => client,
      serverUrl: target.kind === "http" ? target.url : "",
      protocolVersion: rules,
      credential,
      save: async ({ tokens = {} }) => {
        for (const token of [tokens.accessToken, tokens.refreshToken]) if (token) recorder?.addSecret(token);
        if (file) await saveCredentials(file, tokens);
      },
    });
    try {
      return await authorize(demand);
    } finally {
      client.close();
    }
  };
}
