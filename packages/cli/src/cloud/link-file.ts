/** @module The project link `.fettle/project.json`: which project a worktree belongs to. It holds no secret and may be committed. */
import { access, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { operationalError } from "../cli-error.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import { isRecord } from "../files/read-json.ts";

export interface ProjectLink {
  version: 1;
  project: { id: string; name: string };
  organizationId?: string;
  apiUrl: string;
}

/** A link that is there but cannot be used is said so, never passed over: the person believes that it works. */
export type FoundLink = { path: string; link: ProjectLink } | { path: string; error: string };

const relativePath = join(".fettle", "project.json");

/** Looks from `from` up to the root of its Git worktree; outside Git only in `from` itself. */
export async function findLink(from: string): Promise<FoundLink | undefined> {
  const root = await worktreeRoot(from);
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await readLink(linkPath(folder));
    if (found || root === undefined || folder === root) return found;
  }
}

export async function readLink(path: string): Promise<FoundLink | undefined> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { path, error: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
  return { path, ...parseLink(content) };
}

function parseLink(content: string): { link: ProjectLink } | { error: string } {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { error: "is not JSON" };
  }
  if (!isRecord(value) || value.version !== 1) return { error: "is not a project link of version 1" };
  const { project, organizationId, apiUrl } = value;
  if (!isRecord(project) || !isText(project.id) || !isText(project.name))
    return { error: "names no project" };
  if (!isText(apiUrl) || !URL.canParse(apiUrl)) return { error: "names no deployment (apiUrl)" };
  return {
    link: {
      version: 1,
      project: { id: project.id, name: project.name },
      ...(isText(organizationId) && { organizationId }),
      apiUrl,
    },
  };
}

/** The worktree's root, or the folder itself when it is in none. */
export async function linkFolder(from: string): Promise<string> {
  return (await worktreeRoot(from)) ?? from;
}

export function linkPath(folder: string): string {
  return join(folder, relativePath);
}

export async function writeLink(path: string, link: ProjectLink): Promise<void> {
  try {
    await writeAtomically(path, `${JSON.stringify(link, null, 2)}\n`);
  } catch (cause) {
    throw operationalError(`Could not write ${path}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

export async function removeLink(path: string): Promise<void> {
  await rm(path);
}

/** `.git` is a folder in a clone and a file in a linked worktree; either marks the root. */
async function worktreeRoot(from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const isRoot = await access(join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (isRoot) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
