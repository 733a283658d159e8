/** @module One request to an OAuth endpoint, with the whole answer: judging needs status and headers where a client only needs the token. */
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import { checkOauthUrl } from "../guard/policy.ts";
import { parseJsonWithin } from "../messages/json-text.ts";
import { excerptOf, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { basicCredentials } from "../oauth/tokens.ts";

export interface EndpointRequest {
  url: string;
  /** Sent as JSON. */
  json?: JsonObject;
  /** Sent form-encoded, with the client's credentials beside it. */
  form?: Record<string, string>;
  client?: { clientId: string; secret?: string | undefined; method: string };
  suppliedFrom?: AddressZone | undefined;
  signal?: AbortSignal | undefined;
}

export interface EndpointAnswer {
  status: number;
  headers: Record<string, string>;
  /** Parsed when it is JSON, else its first characters. */
  body: unknown;
}

export async function ask(http: HttpClient, request: EndpointRequest): Promise<EndpointAnswer> {
  const { url, json, form, client, suppliedFrom, signal } = request;
  const fields = new URLSearchParams(form);
  if (client && client.method !== "client_secret_basic") fields.set("client_id", client.clientId);
  if (client?.method === "client_secret_post") fields.set("client_secret", client.secret ?? "");
  const isPost = json !== undefined || form !== undefined;
  const response = await http.request({
    method: isPost ? "POST" : "GET",
    url: checkOauthUrl(url),
    headers: {
      accept: "application/json",
      ...(json && { "content-type": "application/json" }),
      ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      ...(client?.method === "client_secret_basic" && {
        authorization: basicCredentials({ clientId: client.clientId, clientSecret: client.secret ?? "" }),
      }),
    },
    ...(json && { body: JSON.stringify(json) }),
    ...(form && { body: fields.toString() }),
    maxBodyBytes: 256 * 1024,
    // A redirect would carry the grant somewhere else.
    redirect: "manual",
    suppliedFrom,
    signal,
  });
  const text = await response.text();
  const parsed = parseJsonWithin(text, { jsonDepth: 16, jsonElements: 5_000 });
  return {
    status: response.status,
    headers: response.headers,
    body: parsed.ok ? parsed.value : excerptOf(text),
  };
}

/** The server's own words for a refusal, else the status. */
export function oauthErrorOf({ status, body }: EndpointAnswer): string {
  const { error, error_description: description } = isObject(body) ? body : {};
  const words = [error, description].filter((word) => typeof word === "string");
  return words.length > 0 ? words.join(", ") : `status ${status}`;
}
