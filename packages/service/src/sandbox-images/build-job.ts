/** @module The job of a build, and the end of builds that nobody will finish. */
import { idOf, sandboxLimits } from "@fettle/contract";
import { z } from "zod";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import { defineJob } from "../jobs/define.ts";
import { LimitMet } from "../sandbox-engine/held.ts";
import { BaseImageError } from "../sandbox-engine/oci-layout.ts";
import { keepPlainText, type PlainText } from "../sandbox-engine/plain-text.ts";
import { EngineError } from "../sandbox-engine/socket-http.ts";
import { buildImage, StepFailed } from "./build-image.ts";
import * as store from "./build-store.ts";

export const buildImageJob = defineJob({
  name: "sandbox-images.build",
  input: z.object({ buildId: idOf<"sandboxImageBuild">() }),
  // An engine that is started anew is back within a minute or two.
  retry: { attempts: 6, delayMs: 5_000 },
  // The operator's own limit is held by the build; this one holds the bringing of its base, too.
  timeoutMs: 2 * sandboxLimits.buildMs,
  takesLong: true,
  run: async ({ app, input: { buildId }, signal, finish, requireLease }) => {
    const build = await store.findBuild(app.db, buildId);
    if (!build || store.isEnded(build)) return;
    const end = (log: PlainText | undefined, change: store.BuildEnd) =>
      finish(async (tx) => {
        await store.updateOpenBuild(tx, buildId, {
          ...change,
          ...(log && { log: log.text() }),
          finishedAt: new Date(app.now()),
        });
        await announceInProject(app, tx, build.projectId, "images");
      });
    const engine = await app.sandboxes.engine();
    if (!engine) return end(undefined, { status: "failed", error: "The container engine is gone." });
    await app.db.transaction(async (tx) => {
      await requireLease(tx);
      await store.updateOpenBuild(tx, buildId, { status: "building", startedAt: new Date(app.now()) });
      await announceInProject(app, tx, build.projectId, "images");
    });
    const log = keepPlainText({ length: sandboxLimits.logLength, lineLength: sandboxLimits.logLineLength });
    const writing = writeLog(app, build, log);
    try {
      const providerBuildId = await buildImage(engine, app.config.sandbox, build, log, signal);
      log.addLine("ready");
      await writing.end();
      await end(log, { status: "ready", providerBuildId });
    } catch (error) {
      await writing.end();
      if (signal.aborted || !isOfTheBuild(error)) throw error;
      log.addLine(error.message);
      await end(log, { status: "failed", error: error.message });
    }
  },
});

/** An engine that does not answer is no fault of the build's: the job is tried again. */
function isOfTheBuild(error: unknown): error is Error {
  if (error instanceof EngineError) return error.status !== undefined;
  return error instanceof StepFailed || error instanceof LimitMet || error instanceof BaseImageError;
}

/** Now and then, so that whoever waits can read along. */
function writeLog(app: App, { id, projectId }: store.BuildRow, log: PlainText) {
  let written = "";
  let isWriting: Promise<void> = Promise.resolve();
  const write = async () => {
    const text = log.text();
    if (text === written) return;
    written = text;
    await app.db.transaction(async (tx) => {
      await store.updateOpenBuild(tx, id, { log: text });
      await announceInProject(app, tx, projectId, "images");
    });
  };
  const timer = setInterval(() => {
    // A log that could not be written now is written with the next piece, or with the end.
    isWriting = isWriting.then(write).catch(() => undefined);
  }, sandboxLimits.logEveryMs);
  return {
    end: async () => {
      clearInterval(timer);
      await isWriting;
    },
  };
}

/** Builds whose job is over without them: parked, cancelled, or never taken up again. */
export async function endAbandonedBuilds(app: App): Promise<void> {
  for (const { id, projectId } of await store.listAbandoned(app.db)) {
    await app.db.transaction((tx) =>
      endBuild(
        app,
        tx,
        { id, projectId },
        "It was taken up as often as it may be, and never came to its end.",
      ),
    );
  }
}

export async function endBuild(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<store.BuildRow, "id" | "projectId">,
  error: string,
): Promise<void> {
  await store.updateOpenBuild(tx, id, { status: "failed", error, finishedAt: new Date(app.now()) });
  await announceInProject(app, tx, projectId, "images");
}
