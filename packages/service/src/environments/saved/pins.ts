/** @module What an environment may pin. Each refusal has a code of its own, so that a page can say what to do about it. */
import {
  ApiError,
  type ClientId,
  type PluginVersionId,
  type ProjectId,
  type SandboxImageId,
  type ServerGroupId,
  type SkillId,
} from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { Querier } from "../../core/db/pool.ts";
import { isInstalled } from "../../core/tables/plugins.ts";
import { isPinnable } from "../../sandboxes/images/build-store.ts";
import { pinnabilityOf } from "../skills/pinnability.ts";
import * as store from "./store.ts";

/** The parts of a stack a request brings; what is absent or null is not checked. */
export interface Pins {
  hostId?: ClientId | undefined;
  serverAttachmentId?: ServerGroupId | null | undefined;
  skillIds?: SkillId[] | null | undefined;
  pluginVersionIds?: PluginVersionId[] | null | undefined;
  sandboxImageId?: SandboxImageId | null | undefined;
}

/** Call it in the transaction that writes: the client is held, so that it cannot be deleted in between. */
export async function requirePinnable(db: Querier, projectId: ProjectId, pins: Pins): Promise<void> {
  if (pins.hostId !== undefined && !(await store.holdClient(db, projectId, pins.hostId))) {
    throw refusal("hostId", "HOST_NOT_FOUND", "There is no such client in this project.", {
      id: pins.hostId,
    });
  }
  if (pins.serverAttachmentId) await requireServerGroup(db, projectId, pins.serverAttachmentId);
  if (pins.skillIds) await requireSkills(db, projectId, pins.skillIds);
  if (pins.pluginVersionIds) await requirePluginVersions(db, projectId, pins.pluginVersionIds);
  if (pins.sandboxImageId) await requireSandboxImage(db, projectId, pins.sandboxImageId);
}

/** What cannot run is not pinned. */
async function requireSandboxImage(db: Querier, projectId: ProjectId, id: SandboxImageId): Promise<void> {
  if (await isPinnable(db, projectId, id)) return;
  const message = "There is no such shared image that is built.";
  throw refusal("sandboxImageId", "SANDBOX_IMAGE_NOT_FOUND", message, { id });
}

export async function requireServerGroup(
  db: Querier,
  projectId: ProjectId,
  id: ServerGroupId,
): Promise<void> {
  if (await store.findServerGroup(db, projectId, id)) return;
  throw refusal("serverAttachmentId", "SERVER_GROUP_NOT_FOUND", "There is no such server group.", { id });
}

async function requireSkills(db: Querier, projectId: ProjectId, ids: SkillId[]): Promise<void> {
  const refuse = (code: string, message: string, id: SkillId) =>
    refusal("skillSelection", code, message, { id });
  const rows = new Map((await store.findSkills(db, projectId, ids)).map((row) => [row.id, row]));
  for (const [index, id] of ids.entries()) {
    const row = rows.get(id);
    if (!row) throw refuse("SKILL_NOT_FOUND", "There is no such skill in this project.", id);
    if (ids.indexOf(id) !== index) throw refuse("SKILL_PINNED_TWICE", `${row.name} is pinned twice.`, id);
    const pinnability = pinnabilityOf(row);
    if (pinnability.ok) continue;
    // A draft is its owner's alone: what it is called is not said to others.
    throw refuse(pinnability.code, `This skill cannot be pinned. ${pinnability.reason}`, id);
  }
}

async function requirePluginVersions(
  db: Querier,
  projectId: ProjectId,
  ids: PluginVersionId[],
): Promise<void> {
  const refuse = (code: string, message: string, id: PluginVersionId) =>
    refusal("pluginVersionIds", code, message, { id });
  const rows = await store.findPluginVersions(db, projectId, ids);
  const pinned = new Set<string>();
  for (const id of ids) {
    const row = rows.find(({ version }) => version.id === id);
    if (!row) throw refuse("PLUGIN_VERSION_NOT_FOUND", "There is no such plugin version here.", id);
    const { plugin, version } = row;
    if (!isInstalled(plugin)) throw refuse("PLUGIN_NOT_INSTALLED", `${plugin.name} is uninstalled.`, id);
    if (!plugin.enabled) throw refuse("PLUGIN_DISABLED", `${plugin.name} is disabled.`, id);
    if (version.status !== "ready") {
      throw refuse("PLUGIN_VERSION_NOT_READY", `This version of ${plugin.name} is ${version.status}.`, id);
    }
    if (pinned.has(plugin.id)) {
      throw refuse("PLUGIN_PINNED_TWICE", `Pin one version of ${plugin.name}, not several.`, id);
    }
    pinned.add(plugin.id);
  }
  const burdened = (await store.findSkillsOfVersions(db, ids)).find(
    ({ files }) => Object.keys(files).length > 0,
  );
  if (burdened) {
    const message = `Its skill ${burdened.name} has supporting files.`;
    throw refuse(
      "PLUGIN_SKILL_SUPPORTING_FILES",
      message,
      must(burdened.pluginVersionId, "the version that a found skill is of"),
    );
  }
}

function refusal(field: string, code: string, message: string, details: Record<string, unknown>): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { path: `body.${field}`, code, ...details });
}
