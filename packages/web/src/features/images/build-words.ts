/** @module The states of builds and computers, in words. */
import type { OwnComputer, SandboxImage } from "@fettle/contract/sandboxes";
import type { Tone } from "../../ui/chip.tsx";

export type Build = NonNullable<SandboxImage["currentBuild"]>;

export const buildWords: Record<Build["status"], { word: string; tone: Tone }> = {
  queued: { word: "Waiting", tone: "info" },
  building: { word: "Building", tone: "info" },
  ready: { word: "Built", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
};

export const isOpen = ({ status }: Pick<Build, "status">) => status === "queued" || status === "building";

export type Computer = NonNullable<OwnComputer["computer"]>;

export const computerWords: Record<Computer["status"], { word: string; tone: Tone; about: string }> = {
  provisioning: { word: "Being made", tone: "info", about: "It is booting from its image." },
  ready: { word: "Ready", tone: "good", about: "It runs." },
  asleep: { word: "Asleep", tone: "neutral", about: "Its files are kept; it wakes with the next use." },
  failed: { word: "Failed", tone: "bad", about: "It does not run." },
};
