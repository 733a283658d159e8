/** @module What the code host sends when a pull request changes. Only what it signed counts, and each commit is checked once. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { ApiError, limits } from "@fettle/contract/core";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import type { RawRoute } from "../../core/routing/raw-route.ts";
import { evalCheckRepos, evalCheckRuns } from "../../core/tables/eval-elsewhere.ts";
import { requireCodeHost } from "./code-host.ts";

const PullRequest = z.looseObject({
  action: z.string(),
  number: z.int(),
  pull_request: z.looseObject({
    head: z.looseObject({
      sha: z.string().regex(/^[0-9a-f]{7,64}$/),
      ref: z.string().max(limits.text.addressLength),
    }),
  }),
  repository: z.looseObject({ full_name: z.string() }),
});
const checked = new Set(["opened", "reopened", "synchronize", "ready_for_review"]);

export const checkRoutes: RawRoute[] = [
  {
    id: "receiveCodeHostEvent",
    methods: ["POST"],
    path: "/api/v1/webhooks/code-host",
    policy: "own",
    body: "stream",
    why: "the code host signs the bytes of the body with a secret that only it and the operator have",
    handle: async ({ app, request, reply }) => {
      const { webhookSecret } = requireCodeHost(app.config);
      const body = await readAll(request.raw);
      const signature = request.headers["x-hub-signature-256"];
      if (!isSigned(body, String(signature), webhookSecret.reveal())) {
        throw new ApiError("UNAUTHORIZED", "The signature is not that of this body.");
      }
      const isOfPullRequest = request.headers["x-github-event"] === "pull_request";
      const event = isOfPullRequest ? PullRequest.safeParse(parse(body)) : undefined;
      if (event && !event.success)
        throw new ApiError("VALIDATION_ERROR", "This is no event of a pull request.");
      const accepted = event && checked.has(event.data.action) ? await accept(app, event.data) : 0;
      return reply.status(202).send({ ok: true, accepted });
    },
  },
];

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limits.ingest.maxBodyBytes) throw new ApiError("VALIDATION_ERROR", "The body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isSigned(body: Buffer, given: string, secret: string): boolean {
  const own = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const other = Buffer.from(given);
  return own.length === other.length && timingSafeEqual(own, other);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** How many suites check the commit that did not before. */
async function accept(app: App, event: z.output<typeof PullRequest>): Promise<number> {
  const { head } = event.pull_request;
  // The job knows everything that an eval run needs; most services have no code host.
  const { checkCommitJob } = await import("./check-commit.ts");
  return app.db.transaction(async (tx) => {
    const repos = await tx
      .select({ id: evalCheckRepos.id })
      .from(evalCheckRepos)
      .where(
        and(
          evalCheckRepos.enabled,
          eq(sql`lower(${evalCheckRepos.repo})`, event.repository.full_name.toLowerCase()),
        ),
      );
    let accepted = 0;
    for (const { id: repoId } of repos) {
      const now = new Date(app.now());
      const [made] = await tx
        .insert(evalCheckRuns)
        .values({
          repoId,
          headSha: head.sha,
          branch: head.ref,
          pullRequest: event.number,
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing()
        .returning({ id: evalCheckRuns.id });
      if (!made) continue;
      await app.jobs.enqueue(checkCommitJob, { checkId: made.id }, { inTransaction: tx });
      accepted += 1;
    }
    return accepted;
  });
}
