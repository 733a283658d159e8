/** @module Finding out who guards a server: protected-resource metadata, then the authorization server's, each attempt kept. */
import type { Some } from "@fettle/contract/formats";
import { asMcpError, McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import { checkOauthUrl } from "../guard/policy.ts";
import { parseJsonWithin } from "../messages/json-text.ts";
import { excerptOf, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { mediaTypeOf } from "../wire/http-answer.ts";
import {
  checkResource,
  type ResourceCheck,
  resourceMetadataUrls,
  serverMetadataUrls,
} from "./metadata-urls.ts";

export interface MetadataAttempt {
  url: string;
  durationMs: number;
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  contentType?: string;
  error?: string;
  /** Behind the words of `error`, when nothing usable came back. */
  failure?: McpError;
}

export interface FoundMetadata {
  url: string;
  metadata: JsonObject;
  zone: AddressZone;
}

export interface Discovery {
  found?: FoundMetadata;
  attempts: MetadataAttempt[];
}

export interface DiscoveryOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** Zone of the server whose answer named these URLs. */
  suppliedFrom?: AddressZone | undefined;
}

export interface ProtectedResource extends FoundMetadata {
  resource: string;
  authorizationServers: Some<string>;
  check: ResourceCheck;
}

const maxMetadataBytes = 256 * 1024;
const jsonLimits = { jsonDepth: 32, jsonElements: 20_000 };

export function discoverResourceMetadata(
  client: HttpClient,
  serverUrl: string,
  pointer: string | undefined,
  options: DiscoveryOptions = {},
): Promise<Discovery> {
  return firstDocument(client, resourceMetadataUrls(serverUrl, pointer), options);
}

export function discoverServerMetadata(
  client: HttpClient,
  issuer: string,
  protocolVersion: string,
  options: DiscoveryOptions = {},
): Promise<Discovery> {
  return firstDocument(client, serverMetadataUrls(issuer, protocolVersion), options);
}

/** Why there is no protected-resource metadata: what is pointed to or there, and cannot be read, is not absent. */
export function resourceMetadataMissing({ attempts }: Discovery, pointer: string | undefined): string {
  const there = attempts.find(({ status = 0 }) => status >= 200 && status < 300) ?? attempts[0];
  const isThere = there?.status !== undefined && there.status >= 200 && there.status < 300;
  if (!there || (!isThere && pointer === undefined))
    return "The server publishes no protected-resource metadata.";
  const why = there.error ?? (there.status === undefined ? "no answer" : `HTTP ${there.status}`);
  return pointer === undefined
    ? `The protected-resource metadata at ${there.url} cannot be read: ${why}.`
    : `The protected-resource metadata that the challenge points to, ${there.url}, cannot be read: ${why}.`;
}

/** Why there is no metadata of an authorization server. Where nothing answered nobody knows whether it publishes any. */
export function serverMetadataMissing(
  { attempts }: Discovery,
  issuer: string,
): { why: string; unreached: boolean } {
  const [first] = attempts;
  const unreached = attempts.every(({ failure }) => failure !== undefined && silences.has(failure.code));
  return unreached && first
    ? { why: `The authorization server ${issuer} cannot be reached: ${first.error}`, unreached }
    : { why: `The authorization server ${issuer} publishes no metadata.`, unreached: false };
}

/** Of the way there, not of the one who is asked. */
const silences: ReadonlySet<string> = new Set<McpError["code"]>([
  "BLOCKED_ADDRESS",
  "CONNECTION_CLOSED",
  "CONNECTION_REFUSED",
  "CONNECTION_RESET",
  "DNS_FAILED",
  "NETWORK",
  "NO_ANSWER",
  "TIMEOUT",
  "TLS_FAILED",
]);

/** Reads protected-resource metadata for use: it must name this server and at least one authorization server. */
export function readProtectedResource(found: FoundMetadata, serverUrl: string): ProtectedResource {
  const { resource, authorization_servers: servers } = found.metadata;
  if (typeof resource !== "string") {
    throw new McpError("OAUTH", "The protected-resource metadata names no resource.", {
      details: { url: found.url },
    });
  }
  const check = checkResource(resource, serverUrl);
  if (check.state !== "valid") {
    throw new McpError("OAUTH", `The metadata is for ${resource}, which is not this server.`, {
      hint: "A token for another resource is never sent here; the server's metadata must name its own URL.",
      details: { url: found.url, resource, state: check.state },
    });
  }
  const [first, ...others] = Array.isArray(servers) ? servers.filter((item) => typeof item === "string") : [];
  if (first === undefined) {
    throw new McpError("OAUTH", "The protected-resource metadata names no authorization server.", {
      details: { url: found.url },
    });
  }
  return { ...found, resource, authorizationServers: [first, ...others], check };
}

/** Tries the URLs in order: a 4xx or a document that is none goes on to the next, a network fault too. */
async function firstDocument(
  client: HttpClient,
  urls: readonly string[],
  options: DiscoveryOptions,
): Promise<Discovery> {
  const attempts: MetadataAttempt[] = [];
  for (const url of urls) {
    const started = performance.now();
    const attempt: MetadataAttempt = { url, durationMs: 0 };
    attempts.push(attempt);
    try {
      const found = await fetchDocument(client, url, attempt, options);
      if (found) return { found, attempts };
    } catch (error) {
      if (options.signal?.aborted) throw error;
      attempt.failure = asMcpError(error);
      attempt.error = attempt.failure.message;
    } finally {
      attempt.durationMs = Math.round(performance.now() - started);
    }
  }
  return { attempts };
}

async function fetchDocument(
  client: HttpClient,
  url: string,
  attempt: MetadataAttempt,
  options: DiscoveryOptions,
): Promise<FoundMetadata | undefined> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const response = await client.request({
    method: "GET",
    url: checkOauthUrl(url),
    headers: { accept: "application/json" },
    signal: options.signal,
    maxBodyBytes: maxMetadataBytes,
    timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    suppliedFrom: options.suppliedFrom,
  });
  attempt.status = response.status;
  attempt.headers = response.headers;
  attempt.contentType = mediaTypeOf(response);
  const text = await response.text();
  const parsed = parseJsonWithin(text, jsonLimits);
  attempt.body = parsed.ok ? parsed.value : excerptOf(text);
  if (response.status < 200 || response.status > 299) return undefined;
  if (!parsed.ok || !isObject(parsed.value)) {
    attempt.error = "not a JSON object";
    return undefined;
  }
  return { url: response.url, metadata: parsed.value, zone: response.zone };
}
