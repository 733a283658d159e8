/** @module The browser's way back from a deployment's approval: the code, or why there is none; then the deployment's own page that says how it ended. */
import { type CallbackEnding, isSameState } from "@fettle/mcp";
import { listenOnLoopback } from "../browser/loopback-listener.ts";
import { operationalError } from "../cli-error.ts";

export interface LoginListener {
  /** Where the browser must be sent back to; with the port that was free. */
  redirectUri: string;
  /** The code, once the browser comes with our state; rejects when the person declines or time is up. */
  code: Promise<string>;
  /** Tells the waiting browser how it ended, and stops listening. */
  finish(outcome: "signed-in" | "failed"): Promise<void>;
}

export interface LoginListenerOptions {
  /** Its path, and its port if it names one. */
  redirectUri: URL;
  state: string;
  issuer: string;
  /** The deployment's page for a login that is over. */
  donePage: URL;
  waitMs: number;
}

export async function listenForCode(options: LoginListenerOptions): Promise<LoginListener> {
  const { donePage, state, waitMs } = options;
  const redirectUri = new URL(options.redirectUri);
  redirectUri.hostname = "127.0.0.1";
  const listener = await listenOnLoopback({
    redirectUri,
    isOurs: (query) => isSameState(query.get("state"), state),
    waitMs,
    lateMessage: `Nobody approved the login within ${waitMs / 60_000} minutes.`,
  });
  let failed: CallbackEnding = { kind: "text", status: 400, text: "Not signed in. The terminal says why." };
  const code = listener.answer.then(({ searchParams }) => {
    const answer = readAnswer(searchParams, options.issuer);
    if (answer.kind === "code") return answer.code;
    failed =
      answer.kind === "declined"
        ? { kind: "page", address: `${donePage.href}?answer=denied` }
        : { kind: "text", status: 400, text: `Not signed in: ${answer.reason}` };
    throw operationalError(`Not signed in: ${answer.reason}`);
  });
  code.catch(() => {});
  return {
    redirectUri: listener.redirectUri,
    code,
    finish: (outcome) =>
      listener.finish(outcome === "signed-in" ? { kind: "page", address: donePage.href } : failed),
  };
}

type Answer = { kind: "code"; code: string } | { kind: "declined" | "refused"; reason: string };

function readAnswer(query: URLSearchParams, issuer: string): Answer {
  // RFC 9207: an answer of another authorization server must not be redeemed at ours.
  const answerer = query.get("iss");
  if (answerer !== null && answerer !== issuer)
    return { kind: "refused", reason: "another service answered." };
  const error = query.get("error");
  if (error === "access_denied") return { kind: "declined", reason: "the request was declined." };
  if (error !== null) return { kind: "refused", reason: query.get("error_description") ?? error };
  const code = query.get("code");
  return code ? { kind: "code", code } : { kind: "refused", reason: "the answer holds no code." };
}
