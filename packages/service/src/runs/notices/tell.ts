/** @module Tells of what happened: a row in the same transaction, and a job that takes it to everybody who wants to know. */
import { idOf, type NoticeId, type ProjectId, type WebhookId } from "@fettle/contract/core";
import { type NoticeEvent, noticeLimits, testNotice } from "@fettle/contract/notices";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { deliverJob } from "./deliver.ts";
import { emailNotice } from "./email-notice.ts";
import * as store from "./store.ts";

/** Ids, names, counts and addresses of pages: nothing that a server said, and nothing that opens anything. */
type NoticeData = Record<string, unknown>;

/**
 * Told once `tx` has committed, to whoever wants to know of this event then.
 *
 * @example
 * await tell(app, tx, run.projectId, "eval_run.ended", { run: { id: run.id, result: run.result } });
 */
export async function tell(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  type: NoticeEvent,
  data: NoticeData,
): Promise<void> {
  if (!(await store.isWanted(tx, projectId, type))) return;
  const id = await write(app, tx, projectId, type, data);
  await app.jobs.enqueue(spreadJob, { noticeId: id }, { inTransaction: tx });
}

async function write(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  type: store.NoticeRow["type"],
  data: NoticeData,
): Promise<NoticeId> {
  const id = newId("notice", app.now());
  const project = { id: projectId, name: await store.projectNameOf(tx, projectId) };
  await store.insertNotice(tx, { id, projectId, type, at: new Date(app.now()), data: { project, ...data } });
  return id;
}

export const spreadJob = defineJob({
  name: "notices.spread",
  input: z.object({ noticeId: idOf<"notice">() }),
  retry: { attempts: 8, delayMs: 2_000 },
  timeoutMs: 60_000,
  run: async ({ app, input, finish }) => {
    const notice = await store.findNotice(app.db, input.noticeId);
    if (!notice || notice.type === testNotice) return;
    const { projectId, type } = notice;
    await finish(async (tx) => {
      for (const id of await store.listWanting(tx, projectId, type))
        await addDelivery(app, tx, id, notice.id);
      await emailNotice(app, tx, notice);
      await announceInProject(app, tx, projectId, "webhooks");
    });
  },
});

async function addDelivery(app: App, tx: Transaction, webhookId: WebhookId, noticeId: NoticeId) {
  const now = new Date(app.now());
  const row = {
    id: newId("webhookDelivery", app.now()),
    webhookId,
    noticeId,
    createdAt: now,
    nextAttemptAt: now,
  };
  const made = await store.insertDelivery(tx, row);
  if (!made) return undefined;
  const job = await app.jobs.enqueue(deliverJob, { deliveryId: made.id }, { inTransaction: tx });
  await store.updateDelivery(tx, made.id, { jobId: job.id });
  return made;
}

/** To this one alone, whatever events it has chosen. */
export async function tellTest(
  app: App,
  tx: Transaction,
  { id, projectId, name }: Pick<store.WebhookRow, "id" | "projectId" | "name">,
): Promise<store.WholeDelivery> {
  const noticeId = await write(app, tx, projectId, testNotice, { webhook: { id, name } });
  const delivery = await addDelivery(app, tx, id, noticeId);
  // Both were made a moment ago.
  return { delivery: stillThere(delivery), notice: stillThere(await store.findNotice(tx, noticeId)) };
}

const dayMs = 24 * 60 * 60 * 1_000;

export const pruneNoticesJob = defineJob({
  name: "notices.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 60_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "23 * * * *", input: {} },
  run: ({ app }) => store.deleteNotices(app.db, new Date(app.now() - noticeLimits.keptDays * dayMs)),
});
