/** @module Being known to the authorization server: by a document, by asking, or because somebody arranged it before. */
import { asMcpError, McpError } from "../../failure.ts";
import { checkOauthUrl, isLoopbackHost } from "../../guard/policy.ts";
import { parseJsonWithin } from "../../messages/json-text.ts";
import { isObject, type JsonObject } from "../../messages/jsonrpc.ts";
import { assertionKeyFrom } from "../client-assertion.ts";
import { readRegistration, requestRegistration } from "../registration.ts";
import { chooseAuthentication, type OauthClient } from "../tokens.ts";
import type { FoundGuardian } from "./find-guardian.ts";
import { FlowPaused } from "./flow-memory.ts";
import type { FlowContext } from "./flow-options.ts";
import type { Registration } from "./flow-step.ts";
import type { Teller } from "./telling.ts";

export interface KnownClient {
  registration: Registration;
  client: OauthClient;
}

export async function becomeClientByStep(
  context: FlowContext,
  guardian: FoundGuardian,
  scope: string | undefined,
): Promise<KnownClient> {
  const { options, telling } = context;
  const choice = chooseRegistration(context, guardian.server);
  const known = await registered(context, guardian, scope, choice.picked);
  telling.conceal(known.client.clientSecret);
  await telling.step("received_client_credentials", (teller) => {
    if (options.registration === undefined) teller.decide(choice);
    const { client } = known;
    const advertised = guardian.server.token_endpoint_auth_methods_supported;
    const picked = chooseAuthentication(guardian.server, client);
    teller.decide({
      about: "How to authenticate at the token endpoint",
      ...(advertised !== undefined && { offered: advertised }),
      picked,
      why: authenticationReason(client, advertised),
    });
    teller.say(
      `The client id is ${client.clientId}${client.clientSecret === undefined && !client.key ? ", without a secret" : ""}.`,
    );
  });
  return known;
}

/** A given client first, then a document where both sides have one, then asking. */
function chooseRegistration({ options, version }: FlowContext, server: JsonObject) {
  const offered = [
    ...(server.client_id_metadata_document_supported === true && version >= "2025-11-25" ? ["cimd"] : []),
    ...(typeof server.registration_endpoint === "string" ? ["dcr"] : []),
  ];
  const choose = (picked: Registration, why: string) => ({
    about: "How to become a client",
    offered,
    picked,
    why,
  });
  if (options.registration !== undefined) return choose(options.registration, "It was asked for.");
  if (options.clientId !== undefined) return choose("preregistered", "A client id was given.");
  if (offered.includes("cimd") && options.clientMetadataUrl !== undefined) {
    return choose("cimd", "The authorization server reads metadata documents, and we have one.");
  }
  if (offered.includes("dcr")) {
    const why = offered.includes("cimd")
      ? "No metadata document was given, so it is asked."
      : "It is offered.";
    return choose("dcr", why);
  }
  throw new McpError("OAUTH", "The authorization server registers no clients by itself.", {
    hint: offered.includes("cimd")
      ? "It reads client metadata documents: give yours with --client-metadata-url, or a client id with --client-id."
      : "Register a client there by hand, and give its id with --client-id.",
    details: { offered },
  });
}

async function registered(
  context: FlowContext,
  guardian: FoundGuardian,
  scope: string | undefined,
  registration: Registration,
): Promise<KnownClient> {
  const known = await context.options.clientOf?.(guardian.issuer);
  if (known) return { registration, client: known };
  switch (registration) {
    case "preregistered":
      return { registration, client: givenClient(context) };
    case "cimd":
      return { registration, client: await byDocument(context, guardian) };
    case "dcr":
      try {
        return { registration, client: await byAsking(context, guardian, scope) };
      } catch (error) {
        const hasOther = !context.options.strict && context.options.clientId !== undefined;
        if (!hasOther || error instanceof FlowPaused) throw error;
        return { registration: "preregistered", client: givenClient(context) };
      }
  }
}

function givenClient({ options: { clientId, clientSecret, clientKey } }: FlowContext): OauthClient {
  if (clientId === undefined)
    throw new McpError("BAD_OPTION", "A client known beforehand needs its client id.");
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(clientKey !== undefined && { key: assertionKeyFrom(clientKey) }),
  };
}

async function byAsking(
  { options, http, telling, version }: FlowContext,
  { server, zone }: FoundGuardian,
  scope: string | undefined,
): Promise<OauthClient> {
  return telling.step("request_client_registration", async (teller) => {
    if (version >= "2026-07-28") {
      teller.warn("2026-07-28 deprecates dynamic registration; a metadata document takes its place.");
    }
    const answer = await requestRegistration({
      http,
      server,
      clientName: options.clientName ?? "Fettle",
      redirectUri: options.redirectUri,
      scope,
      grant: options.authMode === "client_credentials" ? "client_credentials" : "authorization_code",
      also: options.registrationMetadata,
      signal: teller.signal,
      suppliedFrom: zone,
    });
    for (const name of ["client_secret", "registration_access_token"]) {
      if (typeof answer.body[name] === "string") telling.conceal(answer.body[name]);
    }
    const client = readRegistration(answer);
    teller.say(`Registered${client.clientSecret === undefined ? " as a public client" : " with a secret"}.`);
    return client;
  });
}

const maxDocumentBytes = 5 * 1024;
const documentMs = 5_000;

async function byDocument(context: FlowContext, { server }: FoundGuardian): Promise<OauthClient> {
  const { options, telling } = context;
  const address = options.clientMetadataUrl ?? "";
  await telling.step("cimd_prepare", (teller) => {
    if (server.client_id_metadata_document_supported !== true) {
      throw new McpError("OAUTH", "The authorization server does not read client metadata documents.", {
        hint: "Its metadata must say client_id_metadata_document_supported: true.",
      });
    }
    const url = checkOauthUrl(address);
    if (url.pathname === "/" || url.hash !== "") {
      throw new McpError("BAD_OPTION", "A client metadata document has a path of its own, and no fragment.");
    }
    teller.say(`The client id is the address of our document, ${url.href}.`);
  });
  const answer = await telling.step("cimd_fetch_request", async (teller) => {
    try {
      const answer = await fetchDocument(context, address, teller.signal);
      teller.say(`The document is answered with ${answer.status}.`);
      return answer;
    } catch (error) {
      if (options.strict) throw error;
      // The authorization server may reach what we cannot.
      teller.warn(`The document could not be read from here: ${asMcpError(error).message}`);
      return undefined;
    }
  });
  if (answer) await telling.step("cimd_metadata_response", (teller) => readDocument(context, teller, answer));
  return { clientId: address };
}

async function fetchDocument(
  { http }: FlowContext,
  address: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const response = await http.request({
    method: "GET",
    url: checkOauthUrl(address),
    headers: { accept: "application/json" },
    redirect: "manual",
    maxBodyBytes: maxDocumentBytes,
    timeouts: { totalMs: documentMs },
    signal,
  });
  return { status: response.status, text: await response.text() };
}

/** The authorization server will refuse the same things; here they are said before a person is asked. */
function readDocument(
  { options }: FlowContext,
  teller: Teller,
  { status, text }: { status: number; text: string },
): void {
  const wrong = (what: string) =>
    new McpError("OAUTH", `Our client metadata document ${what}.`, { details: { status } });
  if (status !== 200) throw wrong(`is answered with ${status}`);
  const parsed = parseJsonWithin(text, { jsonDepth: 16, jsonElements: 2_000 });
  if (!parsed.ok || !isObject(parsed.value)) throw wrong("is no JSON object");
  const { client_id, redirect_uris } = parsed.value;
  if (client_id !== options.clientMetadataUrl) {
    throw wrong(`names the client_id ${String(client_id)}, which is not its address`);
  }
  const listed = Array.isArray(redirect_uris) ? redirect_uris.map(String) : [];
  if (!listed.some((uri) => isSameRedirect(uri, options.redirectUri))) {
    throw wrong(`does not list ${options.redirectUri} among its redirect_uris`);
  }
  teller.say("The document names its own address and our redirect.");
}

/** RFC 8252: the port of a loopback redirect is free. */
function isSameRedirect(listed: string, used: string): boolean {
  if (listed === used) return true;
  const [one, other] = [URL.parse(listed), URL.parse(used)];
  if (!one || !other || !isLoopbackHost(one.hostname)) return false;
  return (
    one.protocol === other.protocol && one.hostname === other.hostname && one.pathname === other.pathname
  );
}

function authenticationReason(client: OauthClient, advertised: unknown): string {
  if (client.key) return "The client has a key, and signs who it is.";
  if (client.clientSecret === undefined) return "There is no secret; PKCE protects the code.";
  if (client.authentication !== undefined) return "The client was registered so.";
  return Array.isArray(advertised)
    ? "The first that is advertised: the header, then the body."
    : "Nothing is advertised, and the header is what every server takes (RFC 6749).";
}
