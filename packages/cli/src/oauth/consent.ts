/** @module Where consent comes back to, and how a person is asked for it: their browser and a loopback port, or nobody at all. */

import { randomInt } from "node:crypto";
import { limits } from "@fettle/contract/core";
import { type FlowOptions, isSameState } from "@fettle/mcp";
import { listenOnLoopback } from "../browser/loopback-listener.ts";
import { canOpenBrowser, openBrowser } from "../browser/open-browser.ts";
import type { Printer } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { World } from "../world.ts";
import type { FlowPlan } from "./flow-input.ts";

export interface ConsentWay {
  redirectUri: string;
  askPerson?: FlowOptions["askPerson"];
  /** Tells a browser that still waits how it ended. */
  finish(completed: boolean): Promise<void>;
}

export interface ConsentOptions {
  world: World;
  print: Printer;
  /** Print the address for a machine to pick up, and open nothing. */
  printUrl?: boolean;
  /** A wrong state is an answer to judge, not one to wait past. */
  strict?: boolean;
}

const approvalMs = limits.consent.personMs;

export async function consentWay(
  { authMode, redirectUrl }: Pick<FlowPlan, "authMode" | "redirectUrl">,
  options: ConsentOptions,
): Promise<ConsentWay> {
  if (authMode !== "interactive") {
    const redirectUri = redirectUrl?.href ?? `http://127.0.0.1:${randomInt(20_000, 60_000)}/callback`;
    return { redirectUri, finish: async () => {} };
  }
  let state: string | null = null;
  const listener = await listenOnLoopback({
    redirectUri: redirectUrl ?? new URL("http://127.0.0.1/callback"),
    isOurs: (query) =>
      (query.has("code") || query.has("error")) &&
      (options.strict === true || isSameState(query.get("state"), state)),
    waitMs: approvalMs,
    lateMessage: `Nobody consented within ${approvalMs / 60_000} minutes.`,
  });
  return {
    redirectUri: listener.redirectUri,
    askPerson: async (address) => {
      const url = new URL(address);
      state = url.searchParams.get("state");
      showAddress(url, options);
      return listener.answer;
    },
    finish: (completed) =>
      listener.finish(
        completed
          ? { kind: "text", status: 200, text: "Signed in. You may close this page." }
          : { kind: "text", status: 400, text: "Not signed in. The terminal says why." },
      ),
  };
}

/** Without a browser the address is all there is, so not even --quiet keeps it back. */
function showAddress(url: URL, { world, print, printUrl }: ConsentOptions): void {
  if (printUrl) {
    world.stderr.write(`OAUTH_CONSENT_URL: ${url.href}\n`);
  } else if (canOpenBrowser(world)) {
    openBrowser(url);
    print.note("Opening your browser. If it does not open, go to:");
    print.note(url.href);
  } else {
    print.prompt(text`Open this address to consent:\n${url.href}`);
  }
}
