/** @module From an environment to what a run executes with: one client config, a closed set of servers, exact versions. */

import {
  ApiError,
  type EnvironmentId,
  type PluginVersionId,
  type ProjectId,
  type ServerId,
  type SkillId,
} from "@fettle/contract/core";
import type { ResolvedEnvironment } from "@fettle/contract/environments";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { isInstalled } from "../../core/tables/plugins.ts";
import { readConfig } from "../../servers/clients/clients.ts";
import { serversOf } from "../../servers/clients/config.ts";
import { findClient } from "../../servers/clients/store.ts";
import { pinnabilityOf } from "../skills/pinnability.ts";
import * as store from "./store.ts";

/** A skill as a run hands it to its model. */
export interface FrozenSkill {
  skillId: SkillId;
  name: string;
  description: string;
  aggregateHash: string;
  content: string;
  /** Set: it came with that plugin version. */
  pluginVersionId?: PluginVersionId;
}

/** What a run stores of its environment: later edits change nothing in it. */
export interface FrozenEnvironment {
  resolved: ResolvedEnvironment;
  skills: FrozenSkill[];
}

/** What a launch was decided on; a refusal says which of them no longer holds. */
export interface LaunchExpectations {
  revision?: number;
  hostConfigId?: string;
}

/**
 * Resolves an environment and holds it until the transaction ends, so that the revision a run records is the one it
 * was resolved at. Throws CONFLICT with `details.code` when it cannot produce a runnable configuration.
 *
 * @example
 * const frozen = await resolveForRun(tx, project.id, environmentId, { revision: 3 });
 */
export async function resolveForRun(
  tx: Transaction,
  projectId: ProjectId,
  environmentId: EnvironmentId,
  expected: LaunchExpectations = {},
): Promise<FrozenEnvironment> {
  const row = await store.holdEnvironment(tx, projectId, environmentId);
  if (!row) throw notFound("environment");
  if (row.archivedAt) throw notRunnable("ENV_ARCHIVED", "The environment is archived.");
  if (expected.revision !== undefined && expected.revision !== row.revision) {
    throw notRunnable("ENV_REVISION_CONFLICT", `It is at revision ${row.revision} by now.`, {
      currentRevision: row.revision,
    });
  }
  const client = await findClient(tx, { projectId, id: row.hostId, includePrivateBacking: true });
  if (!client) throw notRunnable("ENV_HOST_MISSING", "Its client was deleted.", { hostId: row.hostId });
  if (expected.hostConfigId !== undefined && expected.hostConfigId !== client.configId) {
    throw notRunnable("ENV_HOST_DRIFT", "Its client was changed since.", {
      currentConfigId: client.configId,
    });
  }
  const config = readConfig(client);
  const versions = await findRunnableVersions(tx, projectId, row.pluginVersionIds ?? []);
  const skills = [
    ...(await findRunnableSkills(tx, projectId, row.skillIds ?? [])),
    ...(await store.findSkillsOfVersions(tx, row.pluginVersionIds ?? [])),
  ];
  const group = row.serverAttachmentId
    ? await store.findServerGroup(tx, projectId, row.serverAttachmentId)
    : undefined;
  const selectedServerIds = group?.serverIds ?? serversOf(config);
  const pluginServerIds = versions.flatMap(({ version }) =>
    version.servers.map(({ materializedServerId }) => materializedServerId),
  );
  const servers = await findServers(tx, projectId, [...selectedServerIds, ...pluginServerIds]);
  if (servers.length === 0) {
    throw notRunnable("ENV_NO_SERVERS", "None of its servers is live and enabled.", { selectedServerIds });
  }
  return {
    resolved: {
      environment: { id: row.id, name: row.name, revision: row.revision },
      hostId: client.id,
      hostName: client.name,
      hostConfigId: client.configId,
      config,
      ...(row.modelId !== null && { modelId: row.modelId }),
      effectiveModelId: row.modelId ?? config.modelId,
      modelSource: row.modelId === null ? "host" : "environment",
      ...(row.serverAttachmentId !== null && { serverAttachmentId: row.serverAttachmentId }),
      ...(row.sandboxImageId !== null && { sandboxImageId: row.sandboxImageId }),
      selectedServerIds,
      effectiveServerIds: servers.map(({ serverId }) => serverId),
      pluginVersions: versions.map(({ plugin, version }) => ({
        pluginId: plugin.id,
        pluginVersionId: version.id,
        name: plugin.name,
        bundleHash: version.bundleHash,
      })),
      skills: skills.map(({ id, name, aggregateHash }) => ({ skillId: id, name, aggregateHash })),
      servers,
    },
    skills: skills.map(({ id, name, description, aggregateHash, content, pluginVersionId }) => ({
      skillId: id,
      name,
      description,
      aggregateHash,
      content,
      ...(pluginVersionId !== null && { pluginVersionId }),
    })),
  };
}

/** In the order they were selected. */
async function findServers(
  db: Querier,
  projectId: ProjectId,
  ids: ServerId[],
): Promise<ResolvedEnvironment["servers"]> {
  const usable = new Map(
    (await store.findUsableServers(db, projectId, ids)).map((row) => [row.id, row.name]),
  );
  return [...new Set(ids)].flatMap((serverId) => {
    const name = usable.get(serverId);
    return name === undefined ? [] : [{ serverId, name }];
  });
}

async function findRunnableVersions(
  db: Querier,
  projectId: ProjectId,
  ids: PluginVersionId[],
): Promise<store.PinnedVersionRow[]> {
  const rows = await store.findPluginVersions(db, projectId, ids);
  return ids.map((pluginVersionId) => {
    const row = rows.find(({ version }) => version.id === pluginVersionId);
    if (!row || !isInstalled(row.plugin) || row.version.status !== "ready") {
      throw notRunnable("ENV_PLUGIN_UNAVAILABLE", "A pinned plugin version is not there to run.", {
        pluginVersionId,
      });
    }
    if (row.plugin.enabled) return row;
    throw notRunnable("ENV_PLUGIN_DISABLED", `The pinned plugin ${row.plugin.name} is disabled.`, {
      pluginVersionId,
    });
  });
}

async function findRunnableSkills(db: Querier, projectId: ProjectId, ids: SkillId[]) {
  const rows = await store.findSkills(db, projectId, ids);
  return ids.map((skillId) => {
    const row = rows.find(({ id }) => id === skillId);
    if (row && pinnabilityOf(row).ok) return row;
    throw notRunnable("ENV_SKILL_UNAVAILABLE", "A pinned skill is gone or can no longer be pinned.", {
      skillId,
    });
  });
}

function notRunnable(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("CONFLICT", message, { code, ...details });
}
