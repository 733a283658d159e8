/**
 * @module Sending letters. One is a job: it outlives the process, is tried again while the mail server is away, and is over when the
 * server has taken it. What it says is sealed until then, because links in letters open things.
 */
import { limits } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { takeTokenIn } from "../../core/limits/limits.ts";
import { type EmailFacts, type EmailKind, writeEmail } from "./email-texts.ts";
import { handOver } from "./post.ts";

const SealedEmail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });

const placeOf = (letterId: string) => `letters/${letterId}`;

/**
 * Sends one letter once `tx` has committed, and says whether it will: not where no mail is set up, and not when this mailbox has
 * had many of the kind just now. Whoever asked then hands the link over by themselves.
 *
 * @example
 * const invited = await sendEmail(app, tx, "invitation", email, { organization, invitedBy, role, url, expiresAt });
 */
export async function sendEmail<Kind extends EmailKind>(
  app: App,
  tx: Transaction,
  kind: Kind,
  to: string,
  facts: EmailFacts[Kind],
): Promise<boolean> {
  if (!app.config.mail) return false;
  const { allowed } = await takeTokenIn(tx, "letters", `${kind} ${to}`);
  if (!allowed) return false;
  const letterId = newId("letter", app.now());
  const letter: z.output<typeof SealedEmail> = { to, ...writeEmail(kind, facts) };
  const sealed = app.vault.seal(new Secret(JSON.stringify(letter)), placeOf(letterId));
  const input = { letterId, kind, sealed, expiresAt: facts.expiresAt };
  await app.jobs.enqueue(sendLetterJob, input, { inTransaction: tx });
  return true;
}

export const sendLetterJob = defineJob({
  name: "mail.send",
  input: z.object({
    letterId: z.string(),
    kind: z.string(),
    sealed: z.string(),
    expiresAt: z.number().nullable(),
  }),
  // About an hour, which is as long as the shortest link in a letter works.
  retry: { attempts: 12, delayMs: 5_000 },
  timeoutMs: limits.mail.sendMs,
  run: async ({ app, input, signal, log }) => {
    const { letterId, kind, sealed, expiresAt } = input;
    // Mail was switched off meanwhile, or the server was away for so long that the link is of no use.
    if (!app.config.mail || (expiresAt !== null && expiresAt <= app.now())) {
      log.warn("a letter was not sent", {
        letterId,
        kind,
        reason: app.config.mail ? "lapsed" : "mail is off",
      });
      return;
    }
    const { to, ...letter } = SealedEmail.parse(
      JSON.parse(app.vault.open(sealed, placeOf(letterId)).reveal()),
    );
    await handOver(app.config.mail, { letterId, to, ...letter }, signal);
    log.info("a letter was sent", { letterId, kind });
  },
});
