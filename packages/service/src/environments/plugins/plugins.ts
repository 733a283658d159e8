/** @module The rules of plugins: an uploaded bundle becomes a version, ready or invalid with its reasons; one version is active. */

import {
  ApiError,
  type PluginId,
  type PluginVersionId,
  type ProjectId,
  type UserId,
} from "@fettle/contract/core";
import type { FileMap, Plugin, PluginVersion } from "@fettle/contract/environments";
import type { App } from "../../core/app.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { notFound } from "../../core/routing/not-found.ts";
import type { PluginServerComponent } from "../../core/tables/plugins.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { createServer, eraseServer } from "../../servers/saved/servers.ts";
import { readFileMap } from "../bundles/file-map.ts";
import { type ParsedPlugin, readPlugin } from "../bundles/plugin-bundle.ts";
import { insertSkill } from "../skills/store.ts";
import * as store from "./store.ts";

export async function listPlugins(db: Querier, projectId: ProjectId): Promise<Plugin[]> {
  return (await store.listPlugins(db, projectId)).map(toPlugin);
}

export async function listVersions(db: Querier, plugin: store.PluginRow): Promise<PluginVersion[]> {
  const versions = await store.listVersions(db, plugin.id);
  const skills = await store.listComponentSkills(
    db,
    versions.map(({ id }) => id),
  );
  return versions.map((version) => toVersion(version, plugin, skills));
}

export async function readVersion(
  db: Querier,
  { version, plugin }: { version: store.PluginVersionRow; plugin: store.PluginRow },
): Promise<PluginVersion> {
  return toVersion(version, plugin, await store.listComponentSkills(db, [version.id]));
}

/** The same bundle again is the version it already made. */
export async function uploadPlugin(
  app: App,
  projectId: ProjectId,
  userId: UserId,
  files: FileMap,
): Promise<PluginVersion> {
  const reading = readPlugin(readFileMap(files));
  if (!reading.ok) {
    throw new ApiError("VALIDATION_ERROR", reading.problems.join(" "), {
      path: "body.files",
      code: "INVALID_PLUGIN",
      problems: reading.problems,
    });
  }
  const parsed = reading.plugin;
  return app.db.transaction(async (tx) => {
    const now = new Date(app.now());
    const { name, displayName, description } = parsed.manifest;
    const described = { displayName: displayName ?? null, description: description ?? null };
    const plugin = await store.ensurePlugin(tx, {
      id: newId("plugin", app.now()),
      projectId,
      name,
      ...described,
      enabled: true,
      createdAt: now,
      updatedAt: now,
    });
    const held = await store.findVersionOfBundle(tx, plugin.id, parsed.bundleHash);
    if (held) return readVersion(tx, { version: held, plugin });
    const version = await addVersion(app, tx, projectId, userId, plugin, parsed);
    const isFirst = version.status === "ready" && plugin.activeVersionId === null;
    await store.updatePlugin(tx, plugin.id, {
      updatedAt: now,
      ...(isFirst && { ...described, activeVersionId: version.id }),
    });
    await announceInProject(app, tx, projectId, "plugins");
    return readVersion(tx, { version, plugin });
  });
}

export async function setEnabled(app: App, plugin: store.PluginRow, enabled: boolean): Promise<Plugin> {
  return change(app, plugin, { enabled });
}

export async function activateVersion(
  app: App,
  plugin: store.PluginRow,
  id: PluginVersionId,
): Promise<Plugin> {
  const found = await store.findVersion(app.db, id);
  if (found?.plugin.id !== plugin.id) {
    throw new ApiError("VALIDATION_ERROR", "The plugin has no such version.", {
      path: "body.pluginVersionId",
      code: "PLUGIN_VERSION_NOT_FOUND",
    });
  }
  if (found.version.status !== "ready") {
    throw new ApiError("CONFLICT", `This version is ${found.version.status}.`, {
      code: "PLUGIN_VERSION_NOT_READY",
      problems: found.version.problems,
    });
  }
  return change(app, plugin, { activeVersionId: id });
}

/** The rows stay for whoever reads an old version; the servers' secrets do not. */
export async function uninstallPlugin(
  app: App,
  plugin: store.PluginRow,
): Promise<{ id: PluginId; deleted: true }> {
  await app.db.transaction(async (tx) => {
    const now = new Date(app.now());
    const row = await store.updatePlugin(tx, plugin.id, {
      enabled: false,
      uninstalledAt: now,
      updatedAt: now,
    });
    if (!row) throw notFound("plugin");
    for (const server of await store.listComponentServers(tx, plugin.id)) await eraseServer(app, tx, server);
    await announceInProject(app, tx, plugin.projectId, "plugins");
  });
  return { id: plugin.id, deleted: true };
}

async function addVersion(
  app: App,
  tx: Transaction,
  projectId: ProjectId,
  userId: UserId,
  plugin: store.PluginRow,
  parsed: ParsedPlugin,
): Promise<store.PluginVersionRow> {
  const now = new Date(app.now());
  const isReady = parsed.problems.length === 0;
  const staged = await store.insertVersion(tx, {
    id: newId("pluginVersion", app.now()),
    pluginId: plugin.id,
    declaredVersion: parsed.manifest.version ?? null,
    bundleHash: parsed.bundleHash,
    manifestHash: parsed.manifestHash,
    status: isReady ? "staging" : "invalid",
    problems: parsed.problems,
    componentCounts: parsed.counts,
    servers: [],
    createdAt: now,
  });
  if (!isReady) return staged;
  for (const skill of parsed.skills) {
    await insertSkill(tx, {
      id: newId("skill", app.now()),
      projectId,
      pluginVersionId: staged.id,
      sharing: "project",
      ...skill,
      createdAt: now,
      updatedAt: now,
    });
  }
  const servers: PluginServerComponent[] = [];
  for (const { name, request } of parsed.servers) {
    const { id } = await createServer(app, tx, projectId, userId, request, {
      pluginVersionId: staged.id,
    });
    servers.push({
      componentId: id,
      componentKey: `servers/${name}`,
      declaredName: name,
      placement: request.transportType === "http" ? "remote" : "local",
      authenticationPolicy: "on_use",
      materializedServerId: id,
    });
  }
  return store.settleVersion(tx, staged.id, { status: "ready", servers, readyAt: now });
}

async function change(
  app: App,
  plugin: store.PluginRow,
  values: { enabled: boolean } | { activeVersionId: PluginVersionId },
): Promise<Plugin> {
  return app.db.transaction(async (tx) => {
    const row = await store.updatePlugin(tx, plugin.id, { ...values, updatedAt: new Date(app.now()) });
    if (!row) throw notFound("plugin");
    await announceInProject(app, tx, plugin.projectId, "plugins");
    return toPlugin(row);
  });
}

function toPlugin(row: store.PluginRow): Plugin {
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    ...(row.displayName !== null && { displayName: row.displayName }),
    ...(row.description !== null && { description: row.description }),
    enabled: row.enabled,
    ...(row.activeVersionId !== null && { activeVersionId: row.activeVersionId }),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

function toVersion(
  row: store.PluginVersionRow,
  plugin: store.PluginRow,
  skills: store.ComponentSkill[],
): PluginVersion {
  return {
    id: row.id,
    pluginId: row.pluginId,
    ...(row.declaredVersion !== null && { declaredVersion: row.declaredVersion }),
    bundleHash: row.bundleHash,
    ...(row.manifestHash !== null && { manifestHash: row.manifestHash }),
    status: row.status,
    problems: row.problems,
    componentCounts: row.componentCounts,
    servers: row.servers,
    skills: skills
      .filter(({ pluginVersionId }) => pluginVersionId === row.id)
      .map(({ id, name }) => ({
        componentId: id,
        componentKey: `skills/${name}`,
        declaredName: name,
        modelRef: `${plugin.name}/${name}`,
        materializedSkillId: id,
      })),
    createdAt: row.createdAt.getTime(),
    ...(row.readyAt && { readyAt: row.readyAt.getTime() }),
  };
}
