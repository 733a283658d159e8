/** @module Emails about what happens in a project, to people who asked for them and can still see it. */
import { testNotice } from "@fettle/contract/notices";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { findProject } from "../../http/caller/access.ts";
import { ownOrigin } from "../../people/accounts/origin.ts";
import { sendEmail } from "../../people/mail/mail.ts";
import { linesOf } from "./notice-texts.ts";
import * as store from "./store.ts";

export async function emailNotice(app: App, tx: Transaction, notice: store.NoticeRow): Promise<void> {
  if (!app.config.mail || notice.type === testNotice) return;
  const { projectId } = notice;
  const facts = { ...linesOf(notice, ownOrigin(app.config)), expiresAt: null };
  for (const { userId, email } of await store.listReaders(tx, projectId, notice.type)) {
    const person = { userId, boundTo: null };
    // Checked again: someone who lost access to the project gets no emails about it.
    const sees = await findProject(app.pool, person, projectId).catch(() => undefined);
    if (sees) await sendEmail(app, tx, "notice", email, facts);
  }
}
