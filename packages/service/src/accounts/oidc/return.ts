/** @module Where the provider sends the browser back to. It leaves signed in, or at a page that says why not. */
import type { FastifyReply } from "fastify";
import type { App } from "../../app.ts";
import type { Caller } from "../../http/bind.ts";
import { originOf } from "../origin.ts";
import { startSession, type Visitor } from "../sign-in/sessions.ts";
import { endedPendingCookie, readPending } from "./pending.ts";
import { finishSignIn } from "./sign-in.ts";

export async function returnFromProvider(
  app: App,
  caller: Caller,
  visitor: Visitor,
  response: FastifyReply,
): Promise<FastifyReply> {
  const origin = originOf(app.config, visitor.headers);
  const pending = readPending(app, visitor.headers);
  response.header("set-cookie", endedPendingCookie(app));
  const leave = (path: string) => response.redirect(path, 303);

  if (!pending) return leave("/login?error=sign_in_expired");
  const back = pending.linkingId === undefined ? "/login" : "/account/profile";
  // Somebody else signed in here meanwhile: nothing of theirs is touched.
  const isSamePerson = caller.kind === "session" && caller.userId === pending.linkingId;
  if (pending.linkingId !== undefined && !isSamePerson) return leave("/login?error=sign_in_expired");

  const { search } = new URL(response.request.url, origin);
  const finished = await finishSignIn(app, pending, search, origin);
  if (finished.kind === "refused") return leave(`${back}?error=${finished.reason}`);
  response.header("set-cookie", await startSession(app, finished.userId, visitor));
  return leave(pending.returnTo);
}
