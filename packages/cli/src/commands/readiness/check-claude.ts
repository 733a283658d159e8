/** @module `fettle readiness check claude`: is a server ready for the Claude directory? */
import { authorizationRequestsOf } from "@fettle/checks";
import { usageError } from "../../cli-error.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { checkReadiness } from "../../readiness/check-readiness.ts";
import type { checkClaudeFlags } from "./flags.ts";

export async function run(call: Call<typeof checkClaudeFlags, NoArguments>): Promise<Outcome> {
  const { url, oauthResult } = call.flags;
  if (url === undefined) throw usageError("Name the server that is to be listed, by its address.");
  const result =
    oauthResult === undefined ? undefined : await call.input.jsonObject("--oauth-result", `@${oauthResult}`);
  const authorizationRequests = result && authorizationRequestsOf(result);
  if (result && !authorizationRequests) {
    throw usageError("--oauth-result holds no sign-in.", {
      hint: "It takes the JSON that oauth conformance prints, with a sign-in in it.",
    });
  }
  return checkReadiness(call, "claude", { ...(authorizationRequests && { authorizationRequests }) });
}
