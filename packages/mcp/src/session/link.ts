/** @module What one connection stands on: the dialog, its recorder, the guarded client, and the credentials that may change under way. */
import { abortFailure, isMcpError, type McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import type { NetworkPolicy } from "../guard/policy.ts";
import type { Resolver } from "../guard/resolve.ts";
import type { Timeouts, WireLimits } from "../limits.ts";
import type { Recorder } from "../recording/recording.ts";
import type { Target } from "../target.ts";
import type { BearerChallenge } from "../wire/challenge.ts";
import { Dialog, type DialogHooks } from "../wire/dialog.ts";

/** What a server demanded, for whoever can meet it. */
export interface AuthorizationDemand {
  url: string;
  status: number;
  challenge?: BearerChallenge;
  wwwAuthenticate?: string;
  /** The Authorization header that was refused. A secret; absent when none was sent. */
  sent?: string;
  /** Where the server is, which bounds where its pointers may lead. */
  zone?: AddressZone | undefined;
}

/** Answers a 401 with headers to send from now on, or with nothing when it cannot. */
export type Authorize = (demand: AuthorizationDemand) => Promise<Record<string, string> | undefined>;

export interface Link {
  readonly target: Target;
  readonly dialog: Dialog;
  readonly recorder: Recorder;
  readonly limits: WireLimits;
  readonly timeouts: Timeouts;
  /** The guarded client, made at first use. */
  http(): Promise<HttpClient>;
  headers(): Record<string, string>;
  /** Runs a step; when it meets a demand for credentials that `authorize` can answer, runs it once more. */
  authorized<T>(step: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

export interface LinkOptions {
  target: Target;
  limits: WireLimits;
  timeouts: Timeouts;
  recorder: Recorder;
  policy: NetworkPolicy;
  hooks: DialogHooks;
  authorize?: Authorize | undefined;
  resolve?: Resolver | undefined;
}

export function createLink(options: LinkOptions): Link {
  const { target, recorder, limits, timeouts } = options;
  let client: Promise<HttpClient> | undefined;
  let granted: Record<string, string> = {};
  let grants = 0;
  let asking: Promise<boolean> | undefined;

  async function createClient(): Promise<HttpClient> {
    const { createHttpClient } = await import("../guard/client.ts");
    return createHttpClient({
      policy: options.policy,
      observer: recorder,
      timeouts: { connectMs: timeouts.connectMs },
      maxBodyBytes: limits.bodyBytes,
      ...(options.resolve && { resolve: options.resolve }),
    });
  }

  function sentHeaders(): Record<string, string> {
    if (target.kind !== "http") return {};
    const headers = { ...target.headers };
    if (target.accessToken !== undefined) headers.authorization = `Bearer ${target.accessToken}`;
    return { ...headers, ...granted };
  }

  async function ask(failure: McpError): Promise<boolean> {
    const { url = "", status = 401, challenge, wwwAuthenticate, zone } = failure.details;
    const sent = sentHeaders().authorization;
    const headers = await options.authorize?.({
      url,
      status,
      ...(sent !== undefined && { sent }),
      ...(challenge !== undefined && { challenge }),
      ...(typeof wwwAuthenticate === "string" && { wwwAuthenticate }),
      ...(zone !== undefined && { zone }),
    });
    if (!headers) return false;
    for (const value of Object.values(headers)) recorder.addSecret(value.replace(/^Bearer /i, ""));
    granted = { ...granted, ...headers };
    grants++;
    return true;
  }

  return {
    target,
    recorder,
    limits,
    timeouts,
    dialog: new Dialog({ limits, timeouts, hooks: options.hooks }),
    http() {
      client ??= createClient();
      return client;
    },
    headers: sentHeaders,
    async authorized(step, signal) {
      const grantsBefore = grants;
      try {
        return await step();
      } catch (error) {
        if (!options.authorize || !isMcpError(error, "AUTH_REQUIRED")) throw error;
        // Calls that fail together wait for one answer instead of asking one each, and one that failed late finds it there.
        if (grants > grantsBefore) return step();
        asking ??= ask(error).finally(() => {
          asking = undefined;
        });
        if (!(await orAborted(asking, signal))) throw error;
        return step();
      }
    },
  };
}

/** Whoever answers a demand may take their time; the caller's patience still counts. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortFailure(signal));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
