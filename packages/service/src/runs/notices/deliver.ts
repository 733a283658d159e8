/**
 * @module One try to hand an event to a receiver. A job makes one try, and in the transaction that writes down how it went it makes the
 * next: whatever process dies between two tries, the next one comes, and comes once.
 */
import { idOf } from "@fettle/contract/core";
import { noticeLimits } from "@fettle/contract/notices";
import { redactText, secretsInUrl } from "@fettle/contract/secrets";
import { createHttpClient, type HttpResponse, isMcpError } from "@fettle/mcp";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { version } from "../../core/version.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { openReceiver, secretsOf } from "./receiver.ts";
import { signedHeaders } from "./signature.ts";
import * as store from "./store.ts";

const { retryMs, longestWaitMs, offAfterMs, sendMs, answerLength } = noticeLimits;

export const deliverJob = defineJob({
  name: "notices.deliver",
  input: z.object({ deliveryId: idOf<"webhookDelivery">() }),
  // For faults of our own: a receiver's are written down, and tried again by another job.
  retry: { attempts: 8, delayMs: 2_000 },
  timeoutMs: 4 * sendMs,
  run: async ({ app, id, input, signal, finish }) => {
    const found = await store.findDelivery(app.db, input.deliveryId);
    if (found?.delivery.state !== "waiting" || found.delivery.jobId !== id) return;
    const outcome = await send(app, found, signal);
    await finish((tx) => note(app, tx, found, id, outcome));
  },
});

type Found = NonNullable<Awaited<ReturnType<typeof store.findDelivery>>>;

interface Outcome {
  status: number | null;
  answer: string | null;
  /** Null when it was taken. */
  error: string | null;
  durationMs: number;
  /** How long the receiver asks us to wait. */
  waitMs: number;
  /** Trying again cannot help. */
  isFinal: boolean;
}

/** What is sent: the same bytes at every try. */
export function bodyOf({ type, at, data }: store.NoticeRow): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

async function send(app: App, { notice, webhook }: Found, signal: AbortSignal): Promise<Outcome> {
  const receiver = openReceiver(app.vault, webhook);
  const body = bodyOf(notice);
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  const client = createHttpClient({ policy: networkPolicy(app) });
  try {
    const response = await client.request({
      method: "POST",
      url: receiver.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `fettle/${version}`,
        ...signedHeaders(secretsOf(receiver, app.now()), { id: notice.id, at: app.now(), body }),
      },
      body,
      signal,
      // What is signed for one address is sent to no other.
      redirect: "manual",
      timeouts: { connectMs: sendMs, firstByteMs: sendMs, idleMs: sendMs, totalMs: sendMs },
    });
    const { status } = response;
    const isTaken = status >= 200 && status < 300;
    return {
      status,
      answer: redactText(hideSecrets(await beginningOf(response), receiver.url)),
      error: isTaken
        ? null
        : status >= 300 && status < 400
          ? `It answered ${status}: redirects are not followed.`
          : `It answered ${status}.`,
      durationMs: took(),
      waitMs: waitOf(response.headers["retry-after"], app.now()),
      isFinal: status === 410,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!isMcpError(error)) throw error;
    return {
      status: null,
      answer: null,
      error: hideSecrets(error.message, receiver.url),
      durationMs: took(),
      waitMs: 0,
      isFinal: error.code === "BLOCKED_ADDRESS" || error.code === "BAD_TARGET",
    };
  } finally {
    client.close();
  }
}

/** As much of an answer as is kept; that it was given counts, even when it does not end. */
async function beginningOf(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= answerLength) break;
    }
  } catch (error) {
    if (!isMcpError(error)) throw error;
  }
  response.cancel();
  return Buffer.concat(chunks).toString("utf8").slice(0, answerLength);
}

function hideSecrets(text: string, url: string): string {
  const secrets = [new URL(url).pathname, ...secretsInUrl(url)].filter(({ length }) => length > 3);
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "***"), text);
}

/** `Retry-After`: seconds, or a date. */
export function waitOf(said: string | undefined, now: number): number {
  if (said === undefined) return 0;
  const ms = /^\d{1,10}$/.test(said.trim()) ? Number(said) * 1_000 : Date.parse(said) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), longestWaitMs) : 0;
}

async function note(app: App, tx: Transaction, found: Found, jobId: string, outcome: Outcome): Promise<void> {
  const delivery = await store.lockDelivery(tx, found.delivery.id);
  // Somebody asked meanwhile to have it sent anew, or the webhook was switched off.
  if (delivery?.state !== "waiting" || delivery.jobId !== jobId) return;
  const { waitMs, isFinal, ...told } = outcome;
  const { webhook } = found;
  const now = app.now();
  const attempts = delivery.attempts + 1;
  const backoff = retryMs[attempts - 1];
  const isTaken = told.error === null;
  const isOver = isTaken || isFinal || backoff === undefined;
  const nextAt = isOver ? null : now + Math.max(backoff, waitMs);
  const next =
    nextAt === null
      ? null
      : await app.jobs.enqueue(
          deliverJob,
          { deliveryId: delivery.id },
          { inTransaction: tx, startAfter: nextAt },
        );
  await store.updateDelivery(tx, delivery.id, {
    ...told,
    attempts,
    state: isTaken ? "delivered" : isOver ? "failed" : "waiting",
    jobId: next?.id ?? null,
    lastAttemptAt: new Date(now),
    nextAttemptAt: nextAt === null ? null : new Date(nextAt),
  });
  if (isTaken) await store.updateWebhook(tx, webhook.id, { failingSince: null });
  else await noteFailure(app, tx, webhook, told.status);
  await announceInProject(app, tx, webhook.projectId, "webhooks");
}

/** A receiver that is gone, or that has taken nothing for days, is told nothing any more until somebody looks. */
async function noteFailure(app: App, tx: Transaction, webhook: Found["webhook"], status: number | null) {
  const now = app.now();
  const failingSince = await store.markFailing(tx, webhook.id, new Date(now));
  const isGone = status === 410;
  if (!isGone && now - failingSince.getTime() < offAfterMs) return;
  const days = Math.round(offAfterMs / (24 * 60 * 60 * 1_000));
  const reason = isGone ? "It answered that it is gone (410)." : `It has taken nothing for ${days} days.`;
  await store.updateWebhook(tx, webhook.id, {
    enabled: false,
    switchedOffAt: new Date(now),
    switchedOffReason: reason,
  });
  await store.giveUpWaiting(tx, webhook.id, "The webhook was switched off.");
}
