/** @module What an agent is run against, frozen: servers, model, prompt and how to connect, of an environment or of a client. */
import type { ClientId, EnvironmentId, ProjectId, ServerId } from "@fettle/contract/core";
import type { ClientConfig } from "@fettle/contract/environments";
import type { EvalRun, EvalRunTarget } from "@fettle/contract/evals";
import type { Transaction } from "../../core/db/pool.ts";
import { readConfig } from "../../servers/clients/clients.ts";
import { serversOf } from "../../servers/clients/config.ts";
import { findClient } from "../../servers/clients/store.ts";
import { type FrozenEnvironment, type LaunchExpectations, resolveForRun } from "../saved/resolve.ts";
import { findServers } from "./named.ts";
import { refused } from "./refuse.ts";

export interface FrozenTarget extends EvalRunTarget {
  model: string | null;
  modelSource: NonNullable<EvalRun["modelSource"]>;
  system: string | null;
  temperature: number | null;
  /** Of an environment's or an attached client's run: how that client connects. */
  config?: ClientConfig;
  environment?: FrozenEnvironment;
  /** What its computer is made of, where that is not said by `environment`: the suite names it, or a conversation, which keeps no more. */
  sandboxImageId?: string;
}

/** A client that a suite or a journey is played by, with the servers it is to have: null for its own. */
export interface AttachedHost {
  id: ClientId;
  name: string;
  serverIds: ServerId[] | null;
}

/** What of a suite a target depends on; a journey has no prompt of its own. */
interface Around {
  projectId: ProjectId;
  systemPrompt: string | null;
}

/** Its resolved client, its closed set of servers, its exact versions; nothing of the suite's own selection. */
export async function ofEnvironment(
  tx: Transaction,
  suite: Around,
  environmentId: EnvironmentId,
  { skillsOverride }: { skillsOverride?: "exclude" | undefined },
  expected: LaunchExpectations,
): Promise<FrozenTarget> {
  const frozen = await resolveForRun(tx, suite.projectId, environmentId, expected);
  const { resolved } = frozen;
  const { config } = resolved;
  const skills = skillsOverride === "exclude" ? [] : frozen.skills;
  return {
    kind: "environment",
    id: environmentId,
    name: resolved.environment.name ?? environmentId,
    servers: resolved.servers.map(({ serverId, name }) => ({ id: serverId, name })),
    model: resolved.effectiveModelId,
    modelSource: resolved.modelSource,
    system: [config.systemPrompt || suite.systemPrompt, ...skills.map(toldSkill)]
      .filter(Boolean)
      .join("\n\n"),
    temperature: config.temperature ?? null,
    config,
    environment: { resolved, skills },
  };
}

export const toldSkill = ({
  name,
  description,
  content,
}: {
  name: string;
  description: string;
  content: string;
}) => `# Skill: ${name}\n${description}\n\n${content}`;

export async function ofHost(
  tx: Transaction,
  suite: Around,
  { id, name, serverIds }: AttachedHost,
): Promise<FrozenTarget> {
  const client = await findClient(tx, { projectId: suite.projectId, id, includePrivateBacking: true });
  if (!client)
    throw refused("VALIDATION_ERROR", "HOST_NOT_ATTACHED", undefined, { path: "body.namedHostId" });
  const config = readConfig(client);
  return {
    kind: "host",
    id,
    name,
    servers: await findServers(tx, suite.projectId, serverIds ?? serversOf(config), "body.namedHostId"),
    model: config.modelId,
    modelSource: "host",
    system: config.systemPrompt || suite.systemPrompt,
    temperature: config.temperature ?? null,
    config,
  };
}
