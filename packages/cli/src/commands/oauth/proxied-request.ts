/** @module The request that `oauth proxy` and `oauth debug-proxy` send, from their flags, and the answer as it came. */
import { endToEnd } from "@fettle/contract/formats";
import { exchangeOver, type RawAnswer } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { asCliError } from "../../connection/failure.ts";
import { defaultTimeoutMs } from "../../connection/open-server.ts";
import { readHeader } from "../../connection/target.ts";
import { isRecord } from "../../files/read-json.ts";
import { withGuardedClient } from "../../oauth/guarded-request.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { oauthProxyFlags } from "./flags.ts";

export type ProxyCall = Call<typeof oauthProxyFlags, NoArguments>;

export interface ProxiedAnswer {
  answer: RawAnswer;
  shown: {
    status: number;
    statusText: string;
    headers: Record<string, string>;
    /** Parsed when it is JSON. */
    body: unknown;
    finalUrl: string;
  };
}

export async function proxied(call: ProxyCall): Promise<ProxiedAnswer> {
  const { flags, global } = call;
  const method = (flags.method ?? "GET").toUpperCase();
  const headers = Object.fromEntries(
    endToEnd(flags.header.map(readHeader)).filter(([name]) => name.toLowerCase() !== "host"),
  );
  const typed = await readBody(call, method, headers);
  const timeoutMs = global.timeout ?? defaultTimeoutMs;
  try {
    return await withGuardedClient(flags.url, async (http, url) => {
      const answer = await exchangeOver(http, {
        url: url.href,
        method,
        headers: { ...headers, ...typed.headers },
        window: { totalMs: timeoutMs, idleMs: timeoutMs },
        ...(typed.body !== undefined && { body: typed.body }),
      });
      const shown = {
        status: answer.status,
        statusText: answer.statusText,
        headers: Object.fromEntries(endToEnd(Object.entries(answer.headers))),
        body: bodyOf(answer),
        finalUrl: url.href,
      };
      return { answer, shown };
    });
  } catch (error) {
    throw asCliError(error);
  }
}

async function readBody(
  { flags, input }: ProxyCall,
  method: string,
  headers: Record<string, string>,
): Promise<{ body?: string; headers: Record<string, string> }> {
  if (flags.body === undefined) return { headers: {} };
  if (method !== "POST") throw usageError("--body goes with --method POST.");
  const content = await textOf(flags.body, input);
  const declared = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const parsed = asJson(content);
  if (declared?.includes("application/x-www-form-urlencoded") && isRecord(parsed)) {
    const pairs = Object.entries(parsed).map(([name, value]): [string, string] => [name, String(value)]);
    return { body: new URLSearchParams(pairs).toString(), headers: {} };
  }
  const isJson = declared === undefined && parsed !== undefined;
  return { body: content, headers: isJson ? { "content-type": "application/json" } : {} };
}

async function textOf(typed: string, input: ProxyCall["input"]): Promise<string> {
  if (typed === "-") return input.file("--body", "-");
  return typed.startsWith("@") ? input.file("--body", typed.slice(1)) : typed;
}

function asJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function bodyOf({ mediaType, text }: RawAnswer): unknown {
  const isJson = mediaType === "application/json" || mediaType.endsWith("+json");
  return isJson ? (asJson(text) ?? text) : text;
}
