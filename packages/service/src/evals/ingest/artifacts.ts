/** @module Files that belong to reported results: an address takes one, once, for a short while; what it took is kept a while and read by members. */

import { createHash, randomBytes } from "node:crypto";
import { ApiError, type EvalArtifactId, limits, type ProjectId, type UserId } from "@fettle/contract/core";
import { and, count, eq, gt, isNotNull, lte, sum } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { missing } from "../../core/routing/not-found.ts";
import type { RawRoute } from "../../core/routing/raw-route.ts";
import { evalArtifacts } from "../../core/tables/eval-elsewhere.ts";

const { artifacts } = limits.ingest;
const hashOf = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
export const uploadPath = "/api/v1/eval-artifacts";

export async function createUploadUrl(
  app: App,
  { projectId, userId, origin }: { projectId: ProjectId; userId: UserId; origin: string },
): Promise<{ ok: true; uploadUrl: string }> {
  const ticket = randomBytes(32).toString("base64url");
  await app.db.transaction(async (tx) => {
    const now = new Date(app.now());
    const [held] = await tx
      .select({ files: count(), bytes: sum(evalArtifacts.size).mapWith(Number) })
      .from(evalArtifacts)
      .where(and(eq(evalArtifacts.projectId, projectId), gt(evalArtifacts.expiresAt, now)));
    if ((held?.files ?? 0) >= artifacts.perProject || (held?.bytes ?? 0) >= artifacts.projectBytes) {
      const message = `The project holds as many uploaded files as it may; they are kept for ${artifacts.keptDays} days.`;
      throw new ApiError("CONFLICT", message, { code: "ARTIFACT_LIMIT", reason: "ARTIFACT_LIMIT" });
    }
    await tx.insert(evalArtifacts).values({
      id: newId("evalArtifact", app.now()),
      projectId,
      ticketHash: hashOf(ticket),
      createdBy: userId,
      createdAt: now,
      expiresAt: new Date(app.now() + artifacts.ticketMs),
    });
  });
  return { ok: true, uploadUrl: `${origin}${uploadPath}/${ticket}` };
}

/** Who has the address may use it, so that clients that know nothing of keys can. */
export const artifactRoutes: RawRoute[] = [
  {
    id: "uploadEvalArtifact",
    methods: ["POST", "PUT"],
    path: `${uploadPath}/{ticket}`,
    policy: "own",
    body: "stream",
    why: "takes a file and no JSON; the address holds an unguessable ticket that works once, for ten minutes, of a project's member",
    handle: async ({ app, request, reply }) => {
      const { ticket } = request.params as { ticket: string };
      const storageId = await takeUpload(app, ticket, request.headers["content-type"], request.raw);
      return reply.send({ storageId });
    },
  },
];

async function takeUpload(
  app: App,
  ticket: string,
  contentType: string | undefined,
  stream: AsyncIterable<Buffer>,
): Promise<EvalArtifactId> {
  // Claimed before a byte is read: of two who use it at once, one does.
  const [claimed] = await app.db
    .update(evalArtifacts)
    .set({ ticketHash: null })
    .where(
      and(eq(evalArtifacts.ticketHash, hashOf(ticket)), gt(evalArtifacts.expiresAt, new Date(app.now()))),
    )
    .returning({ id: evalArtifacts.id });
  if (!claimed)
    throw missing(
      "This address takes no file: it was used, or it is too late.",
      "Ask for another address, and send the file to that.",
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > artifacts.bytes) {
      const message = `A file has at most ${artifacts.bytes} bytes.`;
      throw new ApiError("VALIDATION_ERROR", message, {
        code: "ARTIFACT_TOO_LARGE",
        reason: "ARTIFACT_TOO_LARGE",
      });
    }
    chunks.push(chunk);
  }
  if (size === 0) throw new ApiError("VALIDATION_ERROR", "The file is empty.");
  const content = Buffer.concat(chunks);
  await app.db
    .update(evalArtifacts)
    .set({
      content,
      size,
      sha256: hashOf(content),
      contentType: contentType?.slice(0, limits.text.nameLength) ?? "application/octet-stream",
      expiresAt: new Date(app.now() + artifacts.keptDays * dayMs),
    })
    .where(eq(evalArtifacts.id, claimed.id));
  return claimed.id;
}

const dayMs = 24 * 60 * 60 * 1000;

export async function findArtifact(app: App, projectId: ProjectId, id: string) {
  const [row] = await app.db
    .select()
    .from(evalArtifacts)
    .where(
      and(
        eq(evalArtifacts.id, id as EvalArtifactId),
        eq(evalArtifacts.projectId, projectId),
        isNotNull(evalArtifacts.content),
        gt(evalArtifacts.expiresAt, new Date(app.now())),
      ),
    );
  return row;
}

export async function pruneArtifacts({ db, now }: Pick<App, "db" | "now">): Promise<void> {
  await db.delete(evalArtifacts).where(lte(evalArtifacts.expiresAt, new Date(now())));
}

export const pruneArtifactsJob = defineJob({
  name: "evals.prune-artifacts",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "23 * * * *", input: {} },
  run: ({ app }) => pruneArtifacts(app),
});
