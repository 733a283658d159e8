/** @module One call over HTTP: address, headers, patience, retries. */

import { ApiError } from "../core/errors.ts";
import { requestLimits } from "../core/limits/limits.ts";
import { addressPart } from "../formats/address-part.ts";
import { Secret } from "../secrets/secret.ts";
import { readAnswer } from "./answer.ts";
import { mayRepeat, retryWaitMs } from "./retry.ts";

type Credential = string | Secret;

export interface ClientOptions {
  /** Where the operations' paths begin, such as `https://fettle.example/api/v1`; a page may give a path of its own site. */
  baseUrl: string;
  /** An API key. */
  key?: Credential;
  /** An access token of a login, or how to get a fresh one. A page needs neither: its session travels in the cookie. */
  token?: Credential | (() => Promise<Credential>);
  /** Sent with every call; `authorization` is not taken from here. */
  headers?: Record<string, string>;
  /** For a whole call, its retries included. */
  timeoutMs?: number;
  userAgent?: string;
  /**
   * Told before each wait of a call that was turned away. With it a call that meets a rate limit is repeated until its
   * time is over; without it nobody would know why nothing happens, so it gives up after a few attempts.
   */
  onWait?: (wait: Wait) => void;
  fetch?: typeof globalThis.fetch;
}

export interface Wait {
  ms: number;
  /** The service's own words. */
  message: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  /**
   * Makes a write safe to repeat, and so repeated when the service is busy. An operation that takes one gets one of its own
   * per call; say your own where the same attempt may be made by several calls.
   */
  idempotencyKey?: string;
  /** Whole numbers beyond 2^53 in the answer keep their digits, as what `isExactNumber` knows. */
  exactNumbers?: boolean;
}

export interface CallInput {
  query?: Record<string, unknown>;
  body?: unknown;
  [parameter: string]: unknown;
}

/** Where the caller put the key there: the header counts more, so it must not hold another. */
function keyInBody(body: unknown): string | undefined {
  const { idempotencyKey } = (typeof body === "object" && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  return typeof idempotencyKey === "string" ? idempotencyKey : undefined;
}

const patienceMs = requestLimits.ms.fallback;

export async function request(
  client: ClientOptions,
  route: string,
  input: CallInput,
  asked: CallOptions,
): Promise<unknown> {
  const [method, path, idempotent] = route.split(" ") as [string, string, "idempotent" | undefined];
  const key = () => asked.idempotencyKey ?? keyInBody(input.body) ?? freshKey();
  const options = idempotent ? { ...asked, idempotencyKey: key() } : asked;
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? patienceMs;
  const deadline = Date.now() + timeoutMs;
  const patience = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
  const url = client.baseUrl.replace(/\/+$/, "") + filled(path, input) + search(input.query);
  const init: RequestInit = {
    method,
    headers: await headersOf(client, options, input.body !== undefined),
    redirect: "manual",
    signal,
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  };
  const send = client.fetch ?? globalThis.fetch;
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAnswer(await send(url, init), options.exactNumbers);
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (patience.aborted) throw timedOut(method, timeoutMs, error);
      if (!(error instanceof ApiError)) throw unreachable(client.baseUrl, error);
      const wait = mayRepeat(method, options.idempotencyKey, error)
        ? retryWaitMs({
            attempt,
            status: error.status,
            retryAfter: error.retryAfter,
            random: Math.random(),
            isPatient: client.onWait !== undefined,
          })
        : undefined;
      // Told to come back after our patience ends, say so now instead of then.
      if (wait === undefined || Date.now() + wait > deadline) throw error;
      client.onWait?.({ ms: wait, message: error.message });
      await pause(wait, signal, () => (options.signal?.aborted ? options.signal.reason : error));
    }
  }
}

/** `crypto.randomUUID` is not there on a page that came over plain HTTP. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function filled(path: string, input: CallInput): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name];
    // Dots alone would walk up the path, encoded or not, and reach another operation.
    if (typeof value !== "string" || value === "" || value === "." || value === "..")
      throw new ApiError("VALIDATION_ERROR", `${name} must be an id.`, { [name]: value });
    return addressPart(value);
  });
}

function search(query: Record<string, unknown> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

async function headersOf(client: ClientOptions, options: CallOptions, hasBody: boolean): Promise<Headers> {
  const headers = new Headers(client.headers);
  headers.delete("authorization");
  headers.set("accept", "application/json");
  if (hasBody) headers.set("content-type", "application/json");
  if (client.userAgent) headers.set("user-agent", client.userAgent);
  if (options.idempotencyKey) headers.set("idempotency-key", options.idempotencyKey);
  const credential = client.key ?? (typeof client.token === "function" ? await client.token() : client.token);
  if (credential !== undefined)
    headers.set("authorization", `Bearer ${credential instanceof Secret ? credential.reveal() : credential}`);
  return headers;
}

function timedOut(method: string, timeoutMs: number, cause: unknown): ApiError {
  const hint = method === "GET" ? "" : " It may still be at work; repeat with the same idempotency key.";
  return new ApiError(
    "TIMEOUT",
    `The service did not answer within ${timeoutMs / 1000} seconds.${hint}`,
    undefined,
    {
      status: 0,
      cause,
    },
  );
}

function unreachable(baseUrl: string, cause: unknown): ApiError {
  return new ApiError("SERVER_UNREACHABLE", `The service could not be reached at ${baseUrl}.`, undefined, {
    status: 0,
    cause,
  });
}

function pause(ms: number, signal: AbortSignal, reason: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const stop = () => {
      clearTimeout(timer);
      reject(reason());
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
