/** @module Where the provider sends the browser back to. It leaves signed in, or at a page that says why not. */
import type { SignInRefusal } from "@fettle/contract/people";
import type { FastifyReply } from "fastify";
import type { App } from "../../../core/app.ts";
import type { Caller } from "../../../core/routing/bind.ts";
import { originOf } from "../origin.ts";
import { startSession, type Visitor } from "../sign-in/sessions.ts";
import { endedPendingCookie, type Pending, readPending } from "./pending.ts";
import { finishSignIn } from "./sign-in.ts";

/** The page that says why not: the one the person came from, or the one that helps. */
function refusalPage(pending: Pending | undefined, reason: SignInRefusal): string {
  const isAboutSetup = pending?.setup !== undefined || reason === "setup_needed";
  // Who is not the one who asked to add the provider has no profile to go back to.
  const isLinking = pending?.linkingId !== undefined && reason !== "sign_in_expired";
  const page = isAboutSetup ? "/setup" : isLinking ? "/account/profile" : "/login";
  return `${page}?error=${reason}`;
}

export async function returnFromProvider(
  app: App,
  caller: Caller,
  visitor: Visitor,
  response: FastifyReply,
): Promise<FastifyReply> {
  const origin = originOf(app.config, visitor.headers);
  const pending = readPending(app, visitor.headers);
  response.header("set-cookie", endedPendingCookie(app));
  const refuse = (reason: SignInRefusal) => response.redirect(refusalPage(pending, reason), 303);

  if (!pending) return refuse("sign_in_expired");
  // Somebody else signed in here meanwhile: nothing of theirs is touched.
  const isSamePerson = caller.kind === "session" && caller.userId === pending.linkingId;
  if (pending.linkingId !== undefined && !isSamePerson) return refuse("sign_in_expired");

  const { search } = new URL(response.request.url, origin);
  const finished = await finishSignIn(app, pending, search, origin);
  if (finished.kind === "refused") return refuse(finished.reason);
  try {
    response.header("set-cookie", await startSession(app, finished.userId, visitor));
  } catch (error) {
    app.log.warn("a sign-in at the OpenID provider could not be finished", { error });
    return refuse("sign_in_failed");
  }
  return response.redirect(pending.returnTo, 303);
}
