/** @module Probes of the MCP server itself: with no token, with one that never was, with a session that never was. */
import {
  askServer,
  exchangeOver,
  type FlowGains,
  type HttpClient,
  type McpQuestion,
  parseBearerChallenge,
  resourceMetadataUrls,
} from "@fettle/mcp";
import type { Observers } from "../verdict/run-checks.ts";
import type { OauthFacts, OauthSeen, SeenAnswer, SeenDocument } from "./oauth-check.ts";
import type { ProbeDesk } from "./probe-desk.ts";

export interface ProbeContext {
  desk: ProbeDesk;
  facts: OauthFacts;
  gains: FlowGains;
  redirectUri: string;
  /** Those of the person, without a credential. */
  headers: Record<string, string>;
  timeoutMs: number;
}

type ServerSeen = Pick<
  OauthSeen,
  | "postWithoutToken"
  | "getWithoutToken"
  | "wellKnownResource"
  | "bogusToken"
  | "staleSession"
  | "documents"
  | "tokenShape"
>;

const bogus = "fettle-token-that-never-was";
const staleSession = "00000000-0000-0000-0000-000000000000";

export function serverObservers(context: ProbeContext): Observers<ServerSeen> {
  const { desk, facts, gains, headers } = context;
  return {
    postWithoutToken: () =>
      desk.probe("postWithoutToken", async (http) => seenAnswer(await askServer(http, questionOf(context)))),
    getWithoutToken: () =>
      desk.probe("getWithoutToken", async (http) => {
        const answer = await exchangeOver(http, {
          url: facts.serverUrl,
          method: "GET",
          headers: { ...headers, accept: "text/event-stream" },
          headOnly: true,
          window: windowOf(context),
        });
        return seenAnswer({ ...answer, ...challengeOf(answer.headers) });
      }),
    wellKnownResource: () =>
      desk.probe("wellKnownResource", async (http) => {
        for (const url of resourceMetadataUrls(facts.serverUrl)) {
          const document = await readDocument(http, url, context);
          if (document.status === 200) return document;
        }
        return undefined;
      }),
    bogusToken: () =>
      desk.probe("bogusToken", async (http) => seenAnswer(await askServer(http, questionOf(context, bogus)))),
    staleSession: () =>
      desk.probe("staleSession", async (http) => {
        const answer = await exchangeOver(http, {
          url: facts.serverUrl,
          headers: {
            ...headers,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            authorization: `Bearer ${gains.tokens?.accessToken ?? ""}`,
            "mcp-session-id": staleSession,
            ...(facts.version >= "2025-06-18" && { "mcp-protocol-version": facts.version }),
          },
          body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
          until: ({ kind }) => kind === "result" || kind === "error",
          window: windowOf(context),
        });
        return {
          ...seenAnswer({ ...answer, ...challengeOf(answer.headers) }),
          isMcp: answer.messages.some(({ kind }) => kind === "result" || kind === "error"),
        };
      }),
    documents: () =>
      desk.probe("documents", async (http) => {
        const urls = new Set(
          facts.flow.steps
            .filter(({ step }) => metadataSteps.has(step))
            .flatMap(({ exchanges }) =>
              exchanges.filter(({ status }) => status === 200).map(({ url }) => url),
            ),
        );
        return Promise.all([...urls].map((url) => readDocument(http, url, context)));
      }),
    tokenShape: async () =>
      Object.fromEntries(
        Object.entries(gains.tokenAnswer?.body ?? {}).map(([name, value]) => [name, kindOf(value)]),
      ),
  };
}

const metadataSteps = new Set<string>(["request_resource_metadata", "request_authorization_server_metadata"]);

export function questionOf({ facts, headers, timeoutMs }: ProbeContext, accessToken?: string): McpQuestion {
  return {
    serverUrl: facts.serverUrl,
    version: facts.version,
    headers,
    accessToken,
    clientInfo: { name: "fettle", version: "0.1.0" },
    capabilities: {},
    timeoutMs,
  };
}

export function seenAnswer(answer: {
  status: number;
  headers: Record<string, string>;
  challenge?: SeenAnswer["challenge"];
  wwwAuthenticate?: string;
  result?: unknown;
}): SeenAnswer {
  const { status, headers, challenge, wwwAuthenticate, result } = answer;
  return { status, headers, challenge, wwwAuthenticate, isMcp: result !== undefined };
}

function challengeOf(headers: Record<string, string>) {
  const wwwAuthenticate = headers["www-authenticate"];
  const challenge = parseBearerChallenge(wwwAuthenticate);
  return {
    ...(wwwAuthenticate !== undefined && { wwwAuthenticate }),
    ...(challenge && { challenge }),
  };
}

/** As a client reads it, then as a web page of another origin would. */
async function readDocument(http: HttpClient, url: string, context: ProbeContext): Promise<SeenDocument> {
  const read = (headers: Record<string, string>) =>
    exchangeOver(http, {
      url,
      method: "GET",
      headers: { accept: "application/json", ...headers },
      window: windowOf(context),
    });
  const answer = await read({});
  const elsewhere = await read({ origin: "https://client.example" });
  return {
    url,
    status: answer.status,
    contentType: answer.mediaType,
    // A server on loopback may refuse foreign origins altogether; what it says to others still counts.
    allowsOrigin: [elsewhere, answer]
      .map(({ headers }) => headers["access-control-allow-origin"])
      .find(Boolean),
    body: parsed(answer.text),
  };
}

function windowOf({ timeoutMs }: ProbeContext) {
  return { totalMs: timeoutMs, idleMs: timeoutMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function kindOf(value: unknown): string {
  if (value === "") return "empty string";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
