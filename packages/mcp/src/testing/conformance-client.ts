/** @module Fettle's client as the official suite runs one: connects to the address it is given, signs in when asked to, lists the tools and calls one. */
import type { FlowOptions } from "../oauth/flow/flow-options.ts";
import { type OauthVersion, oauthVersions } from "../oauth/flow/flow-step.ts";
import { signInOnDemand } from "../oauth/flow/on-demand.ts";
import { connect } from "../session/connect.ts";
import { parseTarget } from "../target.ts";

const serverUrl = process.argv.at(-1) ?? "";
const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const asked = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const protocolVersion: OauthVersion | undefined = oauthVersions.find((version) => version === asked);
const {
  client_id: clientId,
  client_secret: clientSecret,
  private_key_pem: clientKey,
  valid_jwt: assertion,
} = JSON.parse(context) as Record<string, string>;

const options: FlowOptions = {
  serverUrl,
  authMode: /^auth\/(client-credentials|wif)/.test(scenario) ? "client_credentials" : "headless",
  strict: false,
  protocolVersion,
  redirectUri: "http://127.0.0.1:33423/callback",
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  clientId,
  clientSecret,
  clientKey,
  assertion,
};

const connection = await connect(parseTarget({ url: serverUrl }), {
  clientInfo: { name: "fettle", version: "0.1.0" },
  ...(protocolVersion && { protocolVersion }),
  authorize: signInOnDemand({
    ...options,
    onFlow: ({ run }) => {
      for (const { step, status, summary } of run.steps) console.error(`${status} ${step}: ${summary}`);
    },
  }),
});
const { items } = await connection.listTools();
for (const { name } of items) await connection.callTool(name, {});
await connection.close();
