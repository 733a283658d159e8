/** @module What a build of an image is as a kind of run. */

import { sandboxImageBuilds } from "../../core/tables/sandbox-images.ts";
import type { RunKind } from "../../runs/life/kind.ts";
import type { BuildRow, BuildValues } from "./build-store.ts";

type OwnEnding =
  | { end: "completed"; providerBuildId: string; log: string }
  | { end: "failed"; error: string; log?: string };

export const imageBuildKind: RunKind<BuildRow, BuildValues, OwnEnding> = {
  name: "image build",
  watchdog: "sandbox-images.end-abandoned",
  table: sandboxImageBuilds,
  part: "images",
  open: { waiting: "queued", running: "building" },
  verdict: ({ now }, _tx, _build, ending) => {
    const finishedAt = new Date(now());
    if (ending.end === "completed") {
      const { providerBuildId, log } = ending;
      return { status: "ready", providerBuildId, log, finishedAt };
    }
    const { error, ...rest } = ending.end === "failed" ? ending : { error: errors[ending.end] };
    return { status: "failed", error, ...("log" in rest && { log: rest.log }), finishedAt };
  },
};

const errors = {
  canceled: "The blueprint was changed and is built anew.",
  lost: "It was taken up as often as it may be, and never came to its end.",
};
