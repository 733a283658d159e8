/** @module The first half of a flow: from a server that demands a token to an authorization server that may be trusted with the wish for one. */
import { latestStateful, latestStateless } from "../../eras/era.ts";
import { McpError } from "../../failure.ts";
import type { AddressZone } from "../../guard/addresses.ts";
import { isLoopbackHost } from "../../guard/policy.ts";
import type { JsonObject } from "../../messages/jsonrpc.ts";
import type { BearerChallenge } from "../../wire/challenge.ts";
import { authorizationFault } from "../authorization-code.ts";
import {
  type Discovery,
  discoverResourceMetadata,
  discoverServerMetadata,
  type ProtectedResource,
  readProtectedResource,
  resourceMetadataMissing,
} from "../discovery.ts";
import { canonicalResource, defaultEndpoints } from "../metadata-urls.ts";
import type { FlowContext } from "./flow-options.ts";
import type { OauthVersion } from "./flow-step.ts";
import { askServer, type McpAnswer } from "./mcp-question.ts";
import type { Teller } from "./telling.ts";

export interface FoundGuardian {
  issuer: string;
  /** The authorization server's metadata, or what 2025-03-26 takes in its place. */
  server: JsonObject;
  zone: AddressZone | undefined;
  /** What the token is for. */
  resource: string;
  protectedResource?: ProtectedResource;
  challenge?: BearerChallenge;
}

export async function findGuardianByStep(context: FlowContext): Promise<FoundGuardian> {
  if (context.version === "2025-03-26" && !context.isAuto) return guardianAtOrigin(context, undefined);
  const { challenge, zone: askedIn } = await meetDemand(context);
  const protectedResource = await findResource(context, challenge, askedIn);
  if (!protectedResource) return guardianAtOrigin(context, challenge);
  const { telling } = context;
  const found = await telling.step("request_authorization_server_metadata", async (teller) => {
    const { authorizationServers } = protectedResource;
    const [issuer] = authorizationServers;
    teller.decide({
      about: "Which authorization server",
      offered: authorizationServers,
      picked: issuer,
      why: authorizationServers.length === 1 ? "It is the only one named." : "The first one named is taken.",
    });
    const found = await lookForServer(context, teller, issuer, protectedResource.zone);
    if (found) return { issuer, ...found };
    throw new McpError("OAUTH", `The authorization server ${issuer} publishes no metadata.`, {
      details: { issuer },
    });
  });
  const { issuer, metadata: server, zone } = found;
  await telling.step("received_authorization_server_metadata", (teller) =>
    readServer(context, teller, issuer, server),
  );
  return {
    issuer,
    server,
    zone,
    resource: protectedResource.resource,
    protectedResource,
    ...(challenge && { challenge }),
  };
}

/** What the walk goes on with of an answer; the rest may be large. */
type Refusal = Pick<McpAnswer, "status" | "zone" | "challenge" | "wwwAuthenticate">;

async function meetDemand(
  context: FlowContext,
): Promise<{ challenge: BearerChallenge | undefined; zone?: AddressZone }> {
  const { options, telling } = context;
  if (options.challenge) return { challenge: options.challenge };
  const { refusal, version } = await telling.step("request_without_token", (teller) =>
    askWithoutToken(context, teller),
  );
  context.version = version;
  const challenge = await telling.step("received_401_unauthorized", (teller) => {
    if (refusal.status !== 401) {
      teller.say("The server demands no token here; its metadata may still say where one is to be had.");
      return refusal.challenge;
    }
    const { challenge, wwwAuthenticate } = refusal;
    if (!challenge) {
      teller.warn(
        wwwAuthenticate === undefined
          ? "The 401 carries no WWW-Authenticate header; the well-known addresses are tried."
          : "The 401 carries no challenge of the scheme Bearer; the well-known addresses are tried.",
      );
      teller.say("The server demands a token, and does not say where to get one.");
      return undefined;
    }
    const said = Object.entries(challenge).map(([name, value]) => `${name} ${value}`);
    teller.say(
      said.length > 0 ? `The challenge says: ${said.join(", ")}.` : "The challenge says nothing more.",
    );
    return challenge;
  });
  return { challenge, zone: refusal.zone };
}

async function askWithoutToken(
  context: FlowContext,
  teller: Teller,
): Promise<{ refusal: Refusal; version: OauthVersion }> {
  const ask = (version: string) =>
    askServer(context.http, { ...context.question(version), signal: teller.signal });
  let { version } = context;
  let answer = await ask(context.isAuto ? latestStateless : version);
  if (context.isAuto && answer.spoken === latestStateless) version = latestStateless;
  // A server that knows only handshakes may refuse a stateless request before it looks for a token.
  else if (context.isAuto && answer.status !== 401 && answer.result === undefined) {
    answer = await ask(latestStateful);
  }
  const { status, statusText, zone, challenge, wwwAuthenticate } = answer;
  if (status === 401) {
    teller.say("The server answers 401: it demands a token.");
  } else if (status >= 200 && status < 300) {
    teller.say(
      answer.result === undefined
        ? `The server answers ${status} without a token, and not as MCP: whether it wants one is not known.`
        : `The server answers ${status} without a token: here it asks for none.`,
    );
  } else {
    throw new McpError("OAUTH", `The server answers ${status} ${statusText} without a token, not 401.`, {
      hint: "A server that wants a token says so with 401 and a WWW-Authenticate header.",
      details: { status, url: context.options.serverUrl },
    });
  }
  return {
    refusal: {
      status,
      zone,
      ...(challenge && { challenge }),
      ...(wwwAuthenticate !== undefined && { wwwAuthenticate }),
    },
    version,
  };
}

/** Undefined where a server without such metadata is taken for one of 2025-03-26. */
async function findResource(
  context: FlowContext,
  challenge: BearerChallenge | undefined,
  zone: AddressZone | undefined,
): Promise<ProtectedResource | undefined> {
  const { options, telling, http, stepTimeoutMs } = context;
  const found = await telling.step("request_resource_metadata", async (teller) => {
    const pointer = challenge?.resourceMetadata;
    teller.decide({
      about: "Where to look for the resource's metadata",
      ...(pointer !== undefined && { offered: pointer }),
      picked: pointer ?? "the well-known addresses",
      why:
        pointer === undefined
          ? "The challenge does not say; the address with the server's path comes first, then the root's."
          : "The challenge says where, and nothing else is asked.",
    });
    const discovery = await discoverResourceMetadata(http, options.serverUrl, pointer, {
      signal: teller.signal,
      timeoutMs: stepTimeoutMs,
      ...(pointer !== undefined && { suppliedFrom: zone }),
    });
    tellAttempts(teller, discovery);
    if (discovery.found || (context.isAuto && pointer === undefined)) return discovery.found;
    throw nothingFound(discovery, resourceMetadataMissing(discovery, pointer), options.serverUrl);
  });
  if (!found) {
    context.version = "2025-03-26";
    return undefined;
  }
  return telling.step("received_resource_metadata", (teller) => {
    const resource = readProtectedResource(found, options.serverUrl);
    const { strictBinding, rfc9728 } = resource.check;
    const isLocal = isLoopbackHost(new URL(resource.resource).hostname);
    if (options.strict && !strictBinding) {
      throw new McpError("OAUTH", `The metadata is for ${resource.resource}, which does not lead here.`, {
        hint: "The resource is the server's own address, or a path above it (RFC 9728).",
        details: { resource: resource.resource },
      });
    }
    if (options.strict && !rfc9728 && !isLocal) {
      throw new McpError("OAUTH", `The resource ${resource.resource} is not https.`, {
        details: { resource: resource.resource },
      });
    }
    teller.decide({
      about: "What the token is for",
      offered: resource.resource,
      picked: resource.resource,
      why: "The advertised resource is this server, and is sent exactly as it is written there.",
    });
    const servers = resource.authorizationServers.length;
    teller.say(
      `It names the resource and ${servers === 1 ? "its authorization server" : `${servers} authorization servers`}.`,
    );
    return resource;
  });
}

/** 2025-03-26 knows no resource metadata: the server's origin is the authorization server's too. */
async function guardianAtOrigin(
  context: FlowContext,
  challenge: BearerChallenge | undefined,
): Promise<FoundGuardian> {
  const { options, telling } = context;
  const issuer = new URL(options.serverUrl).origin;
  const resource = canonicalResource(options.serverUrl);
  await telling.step("discovery_start", (teller) => {
    teller.decide({
      about: "Which authorization server",
      picked: issuer,
      why: "2025-03-26 takes the origin of the server's address; there is no resource metadata in it.",
    });
    teller.say(`The authorization server is taken to be ${issuer}.`);
  });
  const found = await telling.step("request_authorization_server_metadata", (teller) =>
    lookForServer(context, teller, issuer, undefined),
  );
  const server = found?.metadata ?? defaultEndpoints(issuer);
  await telling.step("received_authorization_server_metadata", (teller) => {
    if (!found) {
      if (context.isAuto) {
        throw new McpError("OAUTH", "Nothing says where a token for this server is to be had.", {
          hint: "It publishes neither protected-resource metadata nor an authorization server's. If it needs no token, just call it; else pass --access-token.",
          details: { url: options.serverUrl },
        });
      }
      teller.decide({
        about: "Which endpoints",
        picked: { authorize: "/authorize", token: "/token", register: "/register" },
        why: "There is no metadata; these are the addresses 2025-03-26 falls back to.",
      });
      teller.say("No metadata; the default endpoints are taken.");
      return;
    }
    readServer(context, teller, issuer, server);
  });
  return { issuer, server, zone: found?.zone, resource, ...(challenge && { challenge }) };
}

async function lookForServer(
  context: FlowContext,
  teller: Teller,
  issuer: string,
  suppliedFrom: AddressZone | undefined,
): Promise<Discovery["found"]> {
  const discovery = await discoverServerMetadata(context.http, issuer, context.version, {
    signal: teller.signal,
    timeoutMs: context.stepTimeoutMs,
    suppliedFrom,
  });
  tellAttempts(teller, discovery);
  const { found, attempts } = discovery;
  if (!found && attempts.every(({ status }) => status === undefined)) {
    throw nothingFound(discovery, `The authorization server ${issuer} could not be asked.`, issuer);
  }
  return found;
}

function readServer(context: FlowContext, teller: Teller, issuer: string, server: JsonObject): void {
  const { options, version } = context;
  const named = server.issuer;
  const fault = serverFault(context, server);
  if (fault !== undefined) {
    throw new McpError("OAUTH", `The authorization server's metadata cannot be used: ${fault}.`, {
      details: { issuer },
    });
  }
  if (named !== issuer && (named !== undefined || options.strict)) {
    const words = `The metadata of ${issuer} names ${named === undefined ? "no issuer" : `another issuer, ${String(named)}`}.`;
    if (version >= "2026-07-28" || !options.strict) {
      throw new McpError("OAUTH", words, {
        hint: "Both must be the same, character by character (RFC 8414, section 3.3).",
        details: { issuer, named: String(named) },
      });
    }
    teller.warn(`${words} From 2026-07-28 on that is refused.`);
  }
  if (!Array.isArray(server.code_challenge_methods_supported)) {
    teller.warn("The metadata does not say that PKCE with S256 is supported.");
  }
  const offers = ["registration_endpoint", "client_id_metadata_document_supported"].filter(
    (name) => server[name] !== undefined && server[name] !== false,
  );
  teller.say(
    `It offers authorization and token endpoints${offers.length > 0 ? `, ${offers.join(", ")}` : ""}.`,
  );
}

function serverFault({ options, version }: FlowContext, server: JsonObject): string | undefined {
  if (options.authMode === "client_credentials") {
    return typeof server.token_endpoint === "string" ? undefined : "it names no token_endpoint";
  }
  const fault = authorizationFault(server, version);
  if (fault !== undefined || !options.strict) return fault;
  // What RFC 8414 requires of every document.
  if (typeof server.issuer !== "string") return "it names no issuer";
  if (!Array.isArray(server.response_types_supported)) return "it names no response_types_supported";
  return undefined;
}

function tellAttempts(teller: Teller, { attempts, found }: Discovery): void {
  for (const { url, status, error } of attempts) {
    teller.note(`GET ${url}: ${status ?? "no answer"}${error === undefined ? "" : ` (${error})`}`);
  }
  if (found) teller.say(`Found at ${found.url}.`);
  else teller.say("No document was found.");
}

/** Told apart: nobody answered, which is no fault of the server's words, and answers that are none. */
function nothingFound({ attempts }: Discovery, message: string, url: string): McpError {
  const refused = attempts.find(
    ({ failure }) => failure?.code === "BLOCKED_ADDRESS" || failure?.code === "REDIRECT",
  );
  if (refused?.failure) return refused.failure;
  const silent = attempts.find(({ status, failure }) => status === undefined && failure !== undefined);
  if (silent?.failure && attempts.every(({ status }) => status === undefined)) return silent.failure;
  return new McpError("OAUTH", message, { details: { url, tried: attempts.map((attempt) => attempt.url) } });
}
