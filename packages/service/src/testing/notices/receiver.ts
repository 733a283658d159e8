/** @module A real receiver of webhooks on loopback: answers as it is told, keeps what came, and checks signatures by the rules of Standard Webhooks. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { vi } from "vitest";
import type { Database } from "../../core/db/pool.ts";
import { jobChannel } from "../../core/jobs/store.ts";

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  payload: { type: string; timestamp: string; data: Record<string, unknown> };
}

export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** The ones of a type, once there are so many. */
  take(type: string, count?: number): Promise<Received[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * @example
 * await using receiver = await startReceiver((_, response) => response.writeHead(204).end());
 */
export async function startReceiver(
  answer: (received: Received, response: ServerResponse) => unknown = (_, response) =>
    response.writeHead(204).end(),
  port = 0,
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const one = {
      id: String(request.headers["webhook-id"]),
      headers: request.headers,
      body,
      payload: JSON.parse(body),
    };
    received.push(one);
    answer(one, response);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  // Of a server that listens on a port, by its documentation.
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    received,
    take: (type, count = 1) =>
      vi.waitFor(
        () => {
          const found = received.filter(({ payload }) => payload.type === type);
          if (found.length < count) throw new Error(`${found.length} of ${count} ${type}`);
          return found;
        },
        { timeout: 60_000, interval: 20 },
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const toleranceSeconds = 5 * 60;

/** What a receiver does, written from the specification of Standard Webhooks and from nothing here. */
export function isSignedBy(
  secret: string,
  { headers, body }: Pick<Received, "headers" | "body">,
  now: number,
): boolean {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => headers[name],
  );
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") return false;
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) return false;
  const [prefix, encoded = ""] = secret.split("_");
  if (prefix !== "whsec") return false;
  const expected = createHmac("sha256", Buffer.from(encoded, "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest();
  return signatures.split(" ").some((versioned) => {
    const [version, signature = ""] = versioned.split(",");
    const given = Buffer.from(signature, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** As if the waits before the next tries were over. */
export async function hurryDeliveries(db: Database): Promise<void> {
  await db.execute(sql`
    with hurried as (
      update jobs set run_after = now() where state = 'waiting' and name = 'notices.deliver' returning id
    ) select pg_notify(${jobChannel}, 'new') from hurried`);
}
