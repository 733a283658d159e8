/** @module The job of a build. */
import { idOf } from "@fettle/contract/core";
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { finishRun, takeUpRun } from "../../runs/life/life.ts";
import { updateOpenRun } from "../../runs/life/store.ts";
import { LimitMet } from "../engine/exec-limits.ts";
import { BaseImageError } from "../engine/oci-layout.ts";
import { keepPlainText, type PlainText } from "../engine/plain-text.ts";
import { EngineError } from "../engine/socket-http.ts";
import { buildImage, StepFailed } from "./build-image.ts";
import type { BuildRow } from "./build-store.ts";
import { imageBuildKind } from "./kind.ts";

export const buildImageJob = defineJob({
  name: "sandbox-images.build",
  input: z.object({ buildId: idOf<"sandboxImageBuild">() }),
  // An engine that is started anew is back within a minute or two.
  retry: { attempts: 6, delayMs: 5_000 },
  // The operator's own limit is held by the build; this one holds the bringing of its base, too.
  timeoutMs: 2 * sandboxLimits.buildMs,
  takesLong: true,
  run: async (call) => {
    const { app, signal } = call;
    const startedAt = new Date(app.now());
    const build = await takeUpRun(call, imageBuildKind, call.input.buildId, () => ({ startedAt }));
    if (!build) return;
    const engine = await app.sandboxes.engine();
    if (!engine) {
      const error = "The container engine is gone.";
      return finishRun(call, imageBuildKind, build, { end: "failed", error });
    }
    const log = keepPlainText({ length: sandboxLimits.logLength, lineLength: sandboxLimits.logLineLength });
    const writing = writeLog(app, build, log);
    try {
      const providerBuildId = await buildImage(engine, app.config.sandbox, build, log, signal);
      log.addLine("ready");
      await writing.end();
      await finishRun(call, imageBuildKind, build, { end: "completed", providerBuildId, log: log.text() });
    } catch (error) {
      await writing.end();
      if (signal.aborted || !isOfTheBuild(error)) throw error;
      log.addLine(error.message);
      const { message } = error;
      await finishRun(call, imageBuildKind, build, { end: "failed", error: message, log: log.text() });
    }
  },
});

/** An engine that does not answer is no fault of the build's: the job is tried again. */
function isOfTheBuild(error: unknown): error is Error {
  if (error instanceof EngineError) return error.status !== undefined;
  return error instanceof StepFailed || error instanceof LimitMet || error instanceof BaseImageError;
}

/** Now and then, so that whoever waits can read along. */
function writeLog(app: App, { id, projectId }: BuildRow, log: PlainText) {
  let written = "";
  let isWriting: Promise<void> = Promise.resolve();
  const write = async () => {
    const text = log.text();
    if (text === written) return;
    written = text;
    await app.db.transaction(async (tx) => {
      await updateOpenRun(tx, imageBuildKind, id, { log: text });
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
