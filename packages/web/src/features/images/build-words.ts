/** @module The states of builds, in words. */
import type { SandboxImage } from "@fettle/contract";
import type { Tone } from "../../ui/chip.tsx";

export type Build = NonNullable<SandboxImage["currentBuild"]>;

export const buildWords: Record<Build["status"], { word: string; tone: Tone }> = {
  queued: { word: "Waiting", tone: "info" },
  building: { word: "Building", tone: "info" },
  ready: { word: "Built", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};
