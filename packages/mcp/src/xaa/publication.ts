/** @module Before anything is signed: does the issuer publish the key that will sign? */
import type { JsonWebKey } from "node:crypto";
import { McpError } from "../failure.ts";
import type { HttpClient } from "../guard/client.ts";
import { isObject } from "../messages/jsonrpc.ts";
import { ask } from "./ask.ts";

export async function verifyPublication(
  http: HttpClient,
  issuer: string,
  key: JsonWebKey,
  signal: AbortSignal | undefined,
): Promise<{ value: undefined; detail: string }> {
  const { document, url } = await readConfiguration(http, issuer, signal);
  if (document.issuer !== issuer) {
    throw fault(`${url} names the issuer ${String(document.issuer)}, not ${issuer}.`);
  }
  if (typeof document.jwks_uri !== "string") throw fault(`${url} names no jwks_uri.`);
  const answer = await ask(http, { url: document.jwks_uri, signal });
  const keys = isObject(answer.body) && Array.isArray(answer.body.keys) ? answer.body.keys : [];
  const published = keys.find((item) => isObject(item) && item.kid === key.kid);
  if (!published) throw fault(`${document.jwks_uri} does not publish the key ${String(key.kid)}.`);
  if (published.n !== key.n || published.e !== key.e) {
    throw fault(`${document.jwks_uri} publishes another key under the name ${String(key.kid)}.`);
  }
  return { value: undefined, detail: `${document.jwks_uri} publishes this machine's key` };
}

async function readConfiguration(http: HttpClient, issuer: string, signal: AbortSignal | undefined) {
  const { origin, pathname } = new URL(issuer);
  const urls = [
    `${issuer}/.well-known/openid-configuration`,
    `${origin}/.well-known/openid-configuration${pathname}`,
  ];
  const seen: string[] = [];
  for (const url of urls) {
    const answer = await ask(http, { url, signal });
    if (answer.status === 200 && isObject(answer.body)) return { document: answer.body, url };
    seen.push(`${url} answers ${answer.status}`);
  }
  throw fault(`The issuer is not published: ${seen.join(", ")}.`);
}

function fault(message: string): McpError {
  return new McpError("OAUTH", message, {
    hint: "Run `fettle serve` with the same FETTLE_HOME and give its address as --issuer-base-url; nothing else was sent.",
  });
}
