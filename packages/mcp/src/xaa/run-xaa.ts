/** @module One cross-app access run: Fettle is the identity provider and the client; the authorization server and the MCP server are under test. */
import { asMcpError, McpError } from "../failure.ts";
import { createHttpClient, type HttpClient } from "../guard/client.ts";
import { hostedPolicy, localPolicy } from "../guard/policy.ts";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { clientAssertion, clientAssertionType } from "../oauth/client-assertion.ts";
import { grantTypes, xaaExtension } from "../oauth/grant-types.ts";
import { hasSignatureOf } from "../oauth/jwt.ts";
import { knownTokenType } from "../oauth/token-type.ts";
import { redactKnowing } from "../recording/known-secrets.ts";
import { connect } from "../session/connect.ts";
import { parseTarget } from "../target.ts";
import { ask, type EndpointAnswer, oauthErrorOf } from "./ask.ts";
import { type ResourceServer, readAuthorizationServer } from "./authorization-server.ts";
import { becomeClient, type XaaClient, type XaaRegistration } from "./client.ts";
import {
  type Grant,
  type GrantRequest,
  mintGrant,
  type SpoiledGrant,
  type SpoilMode,
  spoiledGrants,
} from "./grant.ts";
import { issuerOf } from "./issuer-documents.ts";
import type { SigningKey } from "./keys.ts";
import { verifyPublication } from "./publication.ts";
import type { NegativeProbe, XaaResult, XaaStep, XaaStepName } from "./result.ts";

export interface XaaOptions {
  url: string;
  issuerBaseUrl: string;
  subject: string;
  email?: string | undefined;
  scope?: string | undefined;
  assertionFormat: "oidc" | "saml";
  registration: XaaRegistration;
  /** Skips discovery of the protected resource. */
  authzServerIssuer?: string | undefined;
  /** Skips discovery of the authorization server. */
  tokenEndpoint?: string | undefined;
  /** Refuses http and private addresses. */
  httpsOnly: boolean;
  /** Spoiled grants to try once the sound one was accepted. */
  probes: readonly SpoilMode[];
  issuerKey: SigningKey;
  clientInfo: { name: string; version: string };
  signal?: AbortSignal | undefined;
  onStep?: (step: XaaStep) => void;
}

/** Runs to the end or to the first step that fails; never throws for what the servers did. Nothing secret is in the result. */
export async function runXaa(options: XaaOptions): Promise<XaaResult> {
  const run = new XaaRun(options);
  try {
    await run.walk();
    run.result.completed = true;
  } catch (error) {
    const failure = asMcpError(error);
    if (options.signal?.aborted || failure.code === "BAD_TARGET") throw failure;
    run.result.error = failure.message;
    if (failure.hint !== undefined) run.result.hint = failure.hint;
  } finally {
    run.http.close();
  }
  return redactKnowing(run.result, run.secrets);
}

class XaaRun {
  readonly result: XaaResult;
  readonly secrets: string[] = [];
  readonly http: HttpClient;
  readonly #options: XaaOptions;

  constructor(options: XaaOptions) {
    this.#options = options;
    this.http = createHttpClient({ policy: options.httpsOnly ? hostedPolicy : localPolicy });
    this.result = {
      completed: false,
      issuer: issuerOf(options.issuerBaseUrl),
      registration: { strategy: options.registration.strategy, reused: false, warnings: [] },
      steps: [],
    };
  }

  async walk(): Promise<void> {
    const { signal, issuerKey } = this.#options;
    await this.#step("verify_issuer_publication", () =>
      verifyPublication(this.http, this.result.issuer, issuerKey.publicJwk, signal),
    );
    const server = await this.#findAuthorizationServer();
    const client = await this.#becomeClient(server);
    const request = this.#grantRequest(server, client);
    const grant = await this.#mint(request);
    const accessToken = await this.#redeem(server, client, grant);
    await this.#call(accessToken);
    if (this.#options.probes.length > 0) {
      this.result.negativeProbes = [];
      for (const mode of this.#options.probes) {
        this.result.negativeProbes.push(await this.#probe(server, client, request, mode));
      }
    }
  }

  async #findAuthorizationServer(): Promise<ResourceServer> {
    const server = await readAuthorizationServer(this.http, this.#options, (name, work) =>
      this.#step(name, work),
    );
    this.result.authzServerIssuer = server.issuer;
    this.result.tokenEndpoint = server.tokenEndpoint;
    const { idJagProfile, jwtBearerGrant } = server.evidence;
    this.#note("authorization_server_id_jag_profile", `Identity-assertion profile: ${words[idJagProfile]}`);
    this.#note("authorization_server_jwt_bearer_grant", `JWT bearer grant: ${words[jwtBearerGrant]}`);
    return server;
  }

  async #becomeClient(server: ResourceServer): Promise<XaaClient> {
    const client = await becomeClient(this.http, server, this.#options, (name, work) =>
      this.#step(name, work),
    );
    if (client.secret !== undefined) this.secrets.push(client.secret);
    this.#note("select_token_endpoint_auth_method", `Authenticates by ${client.method}: ${client.reason}`);
    this.result.registration = {
      strategy: this.#options.registration.strategy,
      clientId: client.clientId,
      reused: false,
      warnings: client.warnings,
    };
    this.result.authorizationServerCapabilities = {
      ...server.evidence,
      selectedTokenEndpointAuthMethod: client.method,
    };
    return client;
  }

  #grantRequest(server: ResourceServer, client: XaaClient): GrantRequest {
    const { subject, email, scope, assertionFormat } = this.#options;
    return {
      issuer: this.result.issuer,
      audience: server.issuer,
      subject,
      clientId: client.clientId,
      resource: server.resource,
      scope,
      email,
      assertionFormat,
      now: Date.now(),
    };
  }

  #mint(request: GrantRequest): Promise<Grant> {
    return this.#step("mint_id_jag", async () => {
      const { issuerKey } = this.#options;
      const grant = mintGrant(request, issuerKey);
      this.secrets.push(grant.token);
      const verified = hasSignatureOf(grant.token, issuerKey.publicJwk);
      this.result.idJag = {
        token: "[REDACTED]",
        claims: grant.claims,
        verified,
        ...(!verified && { verifyError: "The published key does not verify the signature." }),
      };
      const detail = `A grant for ${request.subject} at ${request.audience}, good for 5 minutes`;
      return { value: grant, detail };
    });
  }

  #redeem(server: ResourceServer, client: XaaClient, grant: Grant): Promise<string> {
    return this.#step("redeem_id_jag", async () => {
      const answer = await this.#redeemAt(server, client, grant);
      const token = accessTokenOf(answer);
      const error = token === undefined ? oauthErrorOf(answer) : undefined;
      this.result.redemption = {
        status: answer.status,
        tokenIssued: token !== undefined,
        ...(error !== undefined && { error }),
        ...(answer.body !== undefined && { body: answer.body }),
      };
      if (token === undefined) {
        throw new McpError("OAUTH", `The token endpoint did not redeem the grant: ${error}.`, {
          hint: `It must trust the issuer ${this.result.issuer} and know the client ${client.clientId}.`,
        });
      }
      knownTokenType((answer.body as JsonObject).token_type);
      return { value: token, detail: `Status ${answer.status}, an access token was issued` };
    });
  }

  async #redeemAt(server: ResourceServer, client: XaaClient, grant: Grant): Promise<EndpointAnswer> {
    const { scope } = grant.claims;
    const form: Record<string, string> = {
      grant_type: grantTypes.jwtBearer,
      assertion: grant.token,
      resource: server.resource,
      ...(typeof scope === "string" && { scope }),
    };
    if (client.key) {
      const assertion = clientAssertion(client.clientId, server.tokenEndpoint, {
        privateKey: client.key.privateKey,
        kid: client.key.publicJwk.kid as string | undefined,
      });
      this.secrets.push(assertion);
      form.client_assertion_type = clientAssertionType;
      form.client_assertion = assertion;
    }
    const answer = await ask(this.http, {
      url: server.tokenEndpoint,
      form,
      client,
      suppliedFrom: server.zone,
      signal: this.#options.signal,
    });
    for (const name of ["access_token", "refresh_token", "id_token"]) {
      const value = isObject(answer.body) ? answer.body[name] : undefined;
      if (typeof value === "string") this.secrets.push(value);
    }
    return answer;
  }

  async #call(accessToken: string): Promise<void> {
    const { url, httpsOnly, clientInfo, signal } = this.#options;
    const advertised = await this.#step("authenticated_mcp_request", async () => {
      const target = { ...parseTarget({ url }), accessToken };
      try {
        await using connection = await connect(target, {
          clientInfo,
          capabilities: { extensions: { [xaaExtension]: {} } },
          policy: httpsOnly ? hostedPolicy : localPolicy,
          ...(signal && { signal }),
        });
        const { extensions } = connection.capabilities;
        const xaa = isObject(extensions) && xaaExtension in extensions;
        this.result.mcp = { status: 200, ok: true, xaaExtension: xaa ? "advertised" : "not_advertised" };
        return { value: xaa, detail: `The server answers in ${connection.protocolVersion} with the token` };
      } catch (error) {
        const { message, details } = asMcpError(error);
        this.result.mcp = {
          status: details.status ?? null,
          ok: false,
          error: message,
          xaaExtension: "unknown",
        };
        throw error;
      }
    });
    this.#note(
      "mcp_xaa_extension",
      // The name ends in "authorization": whatever follows it after a colon would be taken for a header and hidden.
      `${advertised ? "Advertised" : "Not advertised, which is a finding and no fault"}: the extension ${xaaExtension}`,
    );
  }

  async #probe(
    server: ResourceServer,
    client: XaaClient,
    request: GrantRequest,
    mode: SpoilMode,
  ): Promise<NegativeProbe> {
    const spoil: SpoiledGrant = spoiledGrants[mode];
    const grant = mintGrant({ ...request, now: Date.now() }, this.#options.issuerKey, spoil);
    this.secrets.push(grant.token);
    try {
      const answer = await this.#redeemAt(server, client, grant);
      const accepted = accessTokenOf(answer) !== undefined;
      // A fault of the server says nothing about what it checks.
      const outcome = accepted ? "accepted" : answer.status >= 500 ? "inconclusive" : "rejected";
      return {
        mode,
        outcome,
        status: answer.status,
        ...(accepted && { risk: spoil.risk }),
        ...(!accepted && { error: oauthErrorOf(answer) }),
        ...(spoil.policy && { policyDependent: true }),
      };
    } catch (error) {
      return { mode, outcome: "inconclusive", error: asMcpError(error).message };
    }
  }

  async #step<T>(step: XaaStepName, work: () => Promise<{ value: T; detail: string }>): Promise<T> {
    try {
      const { value, detail } = await work();
      this.#tell({ step, ok: true, detail });
      return value;
    } catch (error) {
      this.#tell({ step, ok: false, detail: asMcpError(error).message });
      throw error;
    }
  }

  /** Evidence: what is not advertised may still work, so it never stops a run. */
  #note(step: XaaStepName, detail: string): void {
    this.#tell({ step, ok: true, detail });
  }

  #tell(step: XaaStep): void {
    this.result.steps.push(step);
    this.#options.onStep?.(redactKnowing(step, this.secrets));
  }
}

const words = {
  advertised: "advertised",
  not_advertised: "not advertised, which is a finding and no fault",
  unknown: "unknown, its metadata was not read",
} as const;

function accessTokenOf({ status, body }: EndpointAnswer): string | undefined {
  const token = status === 200 && isObject(body) ? body.access_token : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}
