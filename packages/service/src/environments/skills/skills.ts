/** @module The rules of skills: a draft is one person's until it is shared, and a plugin's skills change with the plugin. */

import {
  ApiError,
  type ExpectedUpdatedAt,
  type ProjectId,
  type SkillId,
  type UserId,
} from "@fettle/contract/core";
import type { FileMap, Skill, SkillCheck, SkillDetail, SkillFiles } from "@fettle/contract/environments";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId, type WithId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { readFileMap } from "../bundles/file-map.ts";
import { type ParsedSkill, readSkill } from "../bundles/skill-md.ts";
import { pinnabilityOf } from "./pinnability.ts";
import * as store from "./store.ts";

export async function listSkills(db: Querier, projectId: ProjectId, userId: UserId): Promise<Skill[]> {
  return (await store.listSkills(db, projectId, userId)).map((row) => toSkill(row, userId));
}

/** The same reading as when it is saved. */
export function checkSkill(files: FileMap): SkillCheck {
  const reading = readSkill(readFileMap(files));
  if (!reading.ok) return reading;
  const { name, description } = reading.skill;
  const shared = { ...reading.skill, sharing: "project" as const, pluginVersionId: null };
  return { ok: true, name, description, pinnability: pinnabilityOf(shared) };
}

export function skillFilesOf({ source, files, updatedAt }: store.SkillRow): SkillFiles {
  return {
    files: { "SKILL.md": Buffer.from(source).toString("base64"), ...files },
    updatedAt: updatedAt.getTime(),
  };
}

export async function createSkill(
  app: App,
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
  files: FileMap,
): Promise<WithId<"skill", SkillDetail>> {
  const skill = parse(files);
  const now = new Date(app.now());
  return refusingTakenName(skill.name, () =>
    inTransaction(db, async (tx) => {
      const row = await store.insertSkill(tx, {
        id: newId("skill", app.now()),
        projectId,
        ownerId: userId,
        sharing: "user",
        ...skill,
        createdAt: now,
        updatedAt: now,
      });
      await announceInProject(app, tx, projectId, "skills");
      return toSkillDetail(row, userId);
    }),
  );
}

export async function updateSkill(
  app: App,
  project: ProjectContext,
  userId: UserId,
  skill: store.SkillRow,
  { files, expectedUpdatedAt }: { files: FileMap; expectedUpdatedAt?: ExpectedUpdatedAt | undefined },
): Promise<SkillDetail> {
  requireWritable(skill, project, userId);
  return change(app, userId, skill, parse(files), expectedUpdatedAt);
}

export async function shareSkill(
  app: App,
  project: ProjectContext,
  userId: UserId,
  skill: store.SkillRow,
): Promise<SkillDetail> {
  requireWritable(skill, project, userId);
  return change(app, userId, skill, { sharing: "project" });
}

/** It becomes its owner's draft; environments that pin it say so when they are resolved. */
export async function unshareSkill(
  app: App,
  project: ProjectContext,
  userId: UserId,
  skill: store.SkillRow,
): Promise<SkillDetail> {
  requireWritable(skill, project, userId);
  if (skill.ownerId === null) {
    throw new ApiError(
      "CONFLICT",
      "Whoever wrote it is gone, so it can be nobody's draft. Delete it instead.",
      {
        code: "NO_OWNER",
      },
    );
  }
  return change(app, userId, skill, { sharing: "user" });
}

const sharedSkill = { what: "The skill", code: "SKILL_CHANGED" };

export async function deleteSkill(
  app: App,
  project: ProjectContext,
  userId: UserId,
  skill: store.SkillRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: SkillId; deleted: true }> {
  requireWritable(skill, project, userId);
  await app.db.transaction(async (tx) => {
    requireAsRead(await store.lockSkill(tx, skill.id), expectedUpdatedAt, sharedSkill);
    await store.deleteSkill(tx, skill.id);
    await announceInProject(app, tx, skill.projectId, "skills");
  });
  return { id: skill.id, deleted: true };
}

export function toSkillDetail(row: store.SkillRow, userId: UserId): WithId<"skill", SkillDetail> {
  return { ...toSkill(row, userId), content: row.content };
}

function toSkill(row: store.SkillRow, userId: UserId): WithId<"skill", Skill> {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    description: row.description,
    sharing: row.sharing,
    isOwner: row.ownerId === userId,
    aggregateHash: row.aggregateHash,
    ...(row.pluginVersionId === null && { provenance: "authored" as const }),
    pinnability: pinnabilityOf(row),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

async function change(
  app: App,
  userId: UserId,
  { id, name, projectId }: store.SkillRow,
  values: Partial<ParsedSkill> & { sharing?: "project" | "user" },
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<SkillDetail> {
  return refusingTakenName(values.name ?? name, () =>
    app.db.transaction(async (tx) => {
      const before = await store.lockSkill(tx, id);
      if (!before) throw notFound("skill");
      const updatedAt = nextUpdate(app, before, expectedUpdatedAt, sharedSkill);
      const row = await store.updateSkill(tx, id, { ...values, updatedAt });
      await announceInProject(app, tx, projectId, "skills");
      return toSkillDetail(row, userId);
    }),
  );
}

function requireWritable(skill: store.SkillRow, project: ProjectContext, userId: UserId): void {
  if (skill.pluginVersionId !== null) {
    throw new ApiError("CONFLICT", "It is part of a plugin; upload a new version of the plugin.", {
      code: "PLUGIN_COMPONENT",
    });
  }
  if (skill.ownerId === userId || project.isAdmin) return;
  throw new ApiError("FORBIDDEN", "Its owner or a project admin may do this.", { reason: "role_too_low" });
}

function parse(files: FileMap): ParsedSkill {
  const reading = readSkill(readFileMap(files));
  if (reading.ok) return reading.skill;
  throw new ApiError("VALIDATION_ERROR", reading.problems.join(" "), {
    path: "body.files",
    code: "INVALID_SKILL",
    problems: reading.problems,
  });
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isTaken =
      isUniqueViolation(error, "skills_shared_name") || isUniqueViolation(error, "skills_draft_name");
    if (!isTaken) throw error;
    throw new ApiError("CONFLICT", `There is already a skill called ${name}.`, { code: "NAME_TAKEN", name });
  }
}
