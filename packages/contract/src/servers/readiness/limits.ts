/** @module The numbers of directory readiness: what the publishers ask of a listing and a package, and what a look at one may take. */
import { KiB, MiB, minute } from "../../core/limits/units.ts";

export const readinessLimits = {
  /** Findings of one report, unless more are asked for. */
  reportedFindings: { max: 500, fallback: 50 },
  /** Of a screenshot whose size is looked up. */
  screenshotBytes: 20 * MiB,
  /** Of a run at the service: one look at a server and its grading. */
  runMs: 5 * minute,
  /** Of what a model may add, and of what it is shown. */
  model: {
    observations: 24,
    summaryLength: 400,
    evidence: 8,
    evidenceLength: 200,
    inputLength: 60_000,
    outputTokens: 8_000,
    callMs: 2 * minute,
  },
  /** Faults told of one finding; a server may have thousands. */
  shownFaults: 25,
  /** Of what a server says when it turns everyone away. */
  quotedCharacters: 200,
  redirects: 10,
  /** Of the answer to a domain challenge, which is a word. */
  challengeBytes: 16 * KiB,
  toolNameLength: 64,
  listing: {
    nameLength: 100,
    taglineLength: 55,
    shortDescriptionLength: 255,
    descriptionLength: 2_000,
    categories: 5,
    screenshots: { min: 3, max: 5 },
    screenshotWidth: 1_000,
    successCases: 5,
    failureCases: 3,
  },
  /** Of skills that are imported from a server. */
  importedSkills: {
    count: 5,
    markdownBytes: 256 * KiB,
    pageBytes: MiB,
    pages: 10,
    skillBytes: 5 * MiB,
    totalBytes: 8 * MiB,
  },
  package: {
    compressedBytes: 100 * MiB,
    expandedBytes: 512 * MiB,
    entries: 5_000,
    nameLength: 100,
    displayNameLength: 100,
    shortDescriptionLength: 255,
    defaultPromptLength: 255,
    skillNameLength: 64,
    asset: { bytes: 5 * MiB, minPixels: 48, maxPixels: 4_096 },
    /** Of one text that is read whole, and of all that is kept in memory. */
    textBytes: MiB,
    keptBytes: 64 * MiB,
    contrast: 2,
  },
} as const;
