/**
 * @module Getting back in after a password was forgotten: a letter to the account's address with a one-time link. Whoever asks learns
 * nothing: the answer comes before anybody has looked whether there is an account.
 */
import { ApiError, limits, type UserId } from "@fettle/contract/core";
import { Email } from "@fettle/contract/people";
import type { Secret } from "@fettle/contract/secrets";
import { z } from "zod";
import type { App } from "../../../core/app.ts";
import { defineJob } from "../../../core/jobs/define.ts";
import { requireToken } from "../../../core/limits/limits.ts";
import { networkOf } from "../../../core/limits/network.ts";
import { sendEmail } from "../../mail/mail.ts";
import { announce } from "../announce.ts";
import { deleteSessionsOf as deleteCliSessions } from "../cli-login/store.ts";
import { mintToken } from "../tokens.ts";
import { hashPassword } from "./password.ts";
import { requirePasswordsOn, takeLink } from "./sign-in.ts";
import * as store from "./store.ts";

export async function askForNewPassword(app: App, email: string, ip: string): Promise<void> {
  requirePasswordsOn(app);
  if (!app.config.mail) {
    throw new ApiError(
      "FEATURE_NOT_SUPPORTED",
      "This deployment sends no mail, so a password cannot be replaced by email.",
      {
        reason: "NO_MAIL",
        hint: "Whoever runs it can print a sign-in link: fettle admin sign-in-link --forget-password.",
      },
    );
  }
  await requireToken(app.pool, "forgottenPassword", networkOf(ip));
  await app.jobs.enqueue(passwordLetterJob, { email }, { singletonKey: email });
}

/** Only for who has one: a password that never was is no second way past a provider's sign-in. */
export const passwordLetterJob = defineJob({
  name: "accounts.password-letter",
  input: z.object({ email: Email }),
  retry: { attempts: 5, delayMs: 1_000 },
  timeoutMs: 60_000,
  run: async ({ app, input: { email }, finish }) => {
    const person = await store.findPersonByEmail(app.db, email);
    if (!person?.hasPassword || !app.config.mail) return;
    const { origin } = app.config.mail;
    const { token, hash } = mintToken("passwordLink");
    const expiresAt = app.now() + limits.accounts.passwordLinkMs;
    await finish(async (tx) => {
      const url = `${origin}/new-password#token=${token.reveal()}`;
      const isSent = await sendEmail(app, tx, "password", email, { name: person.name, url, expiresAt });
      if (!isSent) return;
      await store.insertSignInLink(tx, {
        tokenHash: hash,
        userId: person.id,
        expiresAt: new Date(expiresAt),
      });
    });
  },
});

/** Every session ends, browsers and command lines alike: whoever forgot a password may have lost it to somebody. */
export async function chooseNewPassword(
  app: App,
  given: { token: string; password: Secret },
): Promise<{ userId: UserId; endedSessions: number }> {
  requirePasswordsOn(app);
  return app.db.transaction(async (tx) => {
    const userId = await takeLink(app, tx, "passwordLink", given.token);
    const hash = await hashPassword(given.password.reveal());
    await store.savePasswordHash(tx, userId, hash, new Date(app.now()));
    await store.deleteSignInLinks(tx, userId);
    const browsers = await store.deleteSessions(tx, userId);
    const commandLines = await deleteCliSessions(tx, userId);
    await announce(app, tx, `account:${userId}`);
    return { userId, endedSessions: browsers + commandLines };
  });
}
