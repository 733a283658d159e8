/** @module The few requests of a login that are not operations of the API: small JSON answers, no redirects, a deadline, and patience where they ask for it. */
import { setTimeout as delay } from "node:timers/promises";
import { mayRepeat, retryAfterSeconds, retryWaitMs, type Wait } from "@fettle/contract/client";
import { CliError, unreachableHint } from "../cli-error.ts";
import { isRecord } from "../files/read-json.ts";
import { version } from "../version.ts";

const maxBytes = 256 * 1024;

export interface AuthRequest {
  url: string;
  /** Sent as a form, by POST; without it a GET. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** Told before each wait. */
  onWait?: ((wait: Wait) => void) | undefined;
}

export interface AuthAnswer {
  status: number;
  /** Empty when the answer is not a JSON object. */
  body: Record<string, unknown>;
}

export async function sendAuthRequest({
  url,
  form,
  headers,
  timeoutMs,
  onWait,
}: AuthRequest): Promise<AuthAnswer> {
  const { origin } = new URL(url);
  const method = form ? "POST" : "GET";
  const signal = AbortSignal.timeout(timeoutMs);
  const deadline = performance.now() + timeoutMs;
  try {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, {
        method,
        headers: { ...headers, accept: "application/json", "user-agent": `fettle-cli/${version}` },
        ...(form && { body: new URLSearchParams(form) }),
        // A credential follows no redirect.
        redirect: "error",
        signal,
      });
      const { status } = response;
      const retryAfter = retryAfterSeconds(response.headers.get("retry-after"), Date.now());
      const wait = mayRepeat(method, undefined, { status, retryAfter })
        ? retryWaitMs({ attempt, status, retryAfter, random: Math.random(), isPatient: true })
        : undefined;
      if (wait === undefined || performance.now() + wait > deadline) {
        if (status === 429) throw turnedAway(origin, retryAfter);
        return { status, body: await readObject(response) };
      }
      await response.body?.cancel();
      onWait?.({ ms: wait, message: `${origin} is busy.` });
      await delay(wait, undefined, { signal });
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    if (cause instanceof DOMException && cause.name === "TimeoutError") {
      throw new CliError("TIMEOUT", `${origin} did not answer within ${timeoutMs / 1000} seconds.`, {
        cause,
      });
    }
    throw new CliError("SERVER_UNREACHABLE", `${origin} could not be reached.`, {
      cause,
      hint: unreachableHint,
    });
  }
}

/** No refusal of what was sent: it was not looked at. */
function turnedAway(origin: string, retryAfter: number | undefined): CliError {
  return new CliError("RATE_LIMITED", `${origin} answers no more logins for now.`, {
    hint: retryAfter === undefined ? "Try again in a while." : `Try again in ${retryAfter} s.`,
  });
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const decoder = new TextDecoder();
  let size = 0;
  let content = "";
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error("the answer is too large");
    content += decoder.decode(chunk, { stream: true });
  }
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
