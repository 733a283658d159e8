/** @module Reads the submission profile from its file: what is wrong with it is told with its line and its path, and nothing is guessed. */
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  type ReadinessEvidence,
  readPicture,
  readSurfaceFile,
  type SubmissionProfile,
  submissionProfileSchema,
} from "@fettle/checks";
import { codeOf, exitCodes } from "@fettle/contract/core";
import { readinessLimits } from "@fettle/contract/servers";
import { faultsOf, inDocumentOrder, pointerOf, readDocument } from "@fettle/evals";
import { CliError } from "../cli-error.ts";
import { whyUnreadable } from "../files/unreadable.ts";
import type { World } from "../world.ts";
import { defaultProfile } from "./default-profile.ts";

interface Fault {
  pointer: string;
  message: string;
  location?: { line: number; column: number };
}

const hint = "See docs/readiness.md for every field.";

/** Without a name the usual file is taken, if it is there; one that was named must be. */
export async function readSubmission(
  named: string | undefined,
  { cwd, now }: Pick<World, "cwd" | "now">,
): Promise<Pick<ReadinessEvidence, "profile" | "published" | "screenshots">> {
  const file = named ?? defaultProfile;
  const path = resolve(cwd, file);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if (named === undefined && codeOf(cause) === "ENOENT") return {};
    throw unreadable(`${file} cannot be read: ${whyUnreadable(cause)}.`, cause);
  }
  const document = readDocument(bytes);
  if (!document.ok) {
    throw invalid(
      file,
      document.faults.map(({ path: at, ...fault }) => ({ ...fault, pointer: pointerOf(at) })),
    );
  }
  const placed = ({ path: at, message }: { path: readonly (string | number)[]; message: string }): Fault => {
    const location = document.locate(at);
    return { pointer: pointerOf(at), message, ...(location && { location }) };
  };
  const parsed = submissionProfileSchema.safeParse(document.value);
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, document.value));
    throw invalid(file, faults.map(placed));
  }
  const profile = parsed.data;
  const scannedAt = profile.openai?.scan?.at;
  if (scannedAt !== undefined && Date.parse(scannedAt) > now()) {
    const message = "lies in the future: write down when the portal last looked at the tools.";
    throw invalid(file, [placed({ path: ["openai", "scan", "at"], message })]);
  }
  const screenshots = await readScreenshots(profile, dirname(path));
  if (!profile.published) return { profile, screenshots };
  const { url, surface } = profile.published;
  return {
    profile,
    screenshots,
    published: { url, surface: await readPublished(resolve(dirname(path), surface), surface) },
  };
}

/** Their paths are from the profile, as that of the published surface is. */
async function readScreenshots(
  { claude, openai }: SubmissionProfile,
  folder: string,
): Promise<NonNullable<ReadinessEvidence["screenshots"]>> {
  const files = [...(claude?.screenshots ?? []), ...(openai?.screenshots ?? [])].map(({ file }) => file);
  const read = async (file: string) => {
    try {
      const path = resolve(folder, file);
      const found = await stat(path);
      if (!found.isFile()) return { unread: "it is no file" };
      if (found.size > readinessLimits.screenshotBytes) return { unread: `it has ${found.size} bytes` };
      return readPicture(await readFile(path));
    } catch (cause) {
      return { unread: whyUnreadable(cause) };
    }
  };
  return Object.fromEntries(
    await Promise.all([...new Set(files)].map(async (file) => [file, await read(file)] as const)),
  );
}

async function readPublished(path: string, shown: string) {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (cause) {
    throw unreadable(`published.surface cannot be read: ${whyUnreadable(cause)}.`, cause);
  }
  const reading = readSurfaceFile(content);
  if (!reading.ok) throw unreadable(`${shown} is not usable: ${reading.reason}.`);
  return reading.surface;
}

function unreadable(message: string, cause?: unknown): CliError {
  return new CliError("SUBMISSION_FILE_UNREADABLE", message, { exitCode: exitCodes.usage, hint, cause });
}

function invalid(file: string, faults: readonly Fault[]): CliError {
  const findings = faults
    .map((fault) => ({ code: "SUBMISSION_FILE_INVALID", ...fault }))
    .toSorted(inDocumentOrder);
  const [first] = findings;
  const where = first?.location ? ` line ${first.location.line}` : "";
  const rest = findings.length > 1 ? ` (and ${findings.length - 1} more)` : "";
  const said = [first?.pointer, first?.message].filter(Boolean).join(" ");
  return new CliError("SUBMISSION_FILE_INVALID", `${file}${where}: ${said}${rest}`, {
    details: { findings },
    exitCode: exitCodes.usage,
    hint,
  });
}
