/** @module What the first message of a conversation settles for all that follow: model, servers, words to the model, how careful to be. */

import { ApiError } from "@fettle/contract/core";
import type { ToolMode } from "@fettle/contract/evals";
import type { ChatTurnRequest, settledTurnFields } from "@fettle/contract/visitors";
import { ModelError, parseModelName } from "@fettle/evals";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { resolveForRun } from "../../environments/saved/resolve.ts";
import { findServers } from "../../environments/targets/named.ts";
import type { FrozenTarget } from "../../environments/targets/target.ts";
import { toldSkill } from "../../environments/targets/target.ts";
import { openModel } from "../../models/open-model.ts";
import { readConfig } from "../../servers/clients/clients.ts";
import { serversOf } from "../../servers/clients/config.ts";
import { findClient } from "../../servers/clients/store.ts";
import { refused } from "./refuse.ts";

export interface Settled {
  version: 1;
  model: string;
  toolMode: ToolMode;
  /** Its servers, and how the chosen client speaks to them. */
  target: FrozenTarget;
  environmentId: string | null;
  clientId: string | null;
  /** As it was asked for; the model is told `target.system`, which has an environment's skills in it. */
  systemPrompt: string | null;
  temperature: number | null;
  /** The client wants a person to be asked before every call. */
  asksBeforeCalls: boolean;
}

type Wanted = Pick<ChatTurnRequest, (typeof settledTurnFields)[number]>;

/** Refuses what cannot be spoken to; nothing is written, and no server is asked. */
export async function settle(
  app: App,
  project: Pick<ProjectContext, "id" | "organizationId">,
  body: Wanted,
  /** Of the environment: whether they are told to the model. */
  withSkills = true,
): Promise<Settled> {
  const { environmentId, serverIds } = body;
  if (environmentId !== undefined && serverIds !== undefined) {
    const message = "An environment brings its servers along: name one or the other.";
    throw new ApiError("VALIDATION_ERROR", message, { path: "body.serverIds", code: "TARGET_AMBIGUOUS" });
  }
  if (environmentId !== undefined && body.clientId !== undefined) {
    const message = "An environment brings its client along: name one or the other.";
    throw new ApiError("VALIDATION_ERROR", message, { path: "body.clientId", code: "TARGET_AMBIGUOUS" });
  }
  const target = await app.db.transaction((tx) => findTarget(tx, project, body, withSkills));
  const model = body.modelId ?? target.model;
  if (!model) throw refused("VALIDATION_ERROR", "MODEL_REQUIRED", { path: "body.modelId" });
  requireProvider(model);
  const { organizationId, id: projectId } = project;
  const opened = await openModel(app, { organizationId, projectId, name: model, source: unpaid });
  return {
    version: 1,
    model: opened.id,
    toolMode: body.toolMode ?? "read_only",
    target,
    environmentId: environmentId ?? null,
    clientId: body.clientId ?? null,
    systemPrompt: body.systemPrompt ?? target.config?.systemPrompt ?? null,
    temperature: body.temperature ?? target.temperature,
    asksBeforeCalls: target.config?.requireToolApproval === true,
  };
}

/** Only looked at: nothing is called, so nothing is paid. */
const unpaid = { kind: "chat", id: "none" };

/** A bare name may be of several providers. */
function requireProvider(model: string): void {
  try {
    parseModelName(model);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const hint = error.hint ?? "Write provider/model, such as fettle/rules-1.";
    const code = error.code === "MODEL_AMBIGUOUS" ? error.code : "MODEL_NOT_FOUND";
    throw new ApiError("VALIDATION_ERROR", error.message, { code, path: "body.modelId", hint });
  }
}

async function findTarget(
  tx: Transaction,
  { id: projectId }: Pick<ProjectContext, "id">,
  { environmentId, serverIds, clientId, systemPrompt }: Wanted,
  withSkills: boolean,
): Promise<FrozenTarget> {
  if (environmentId !== undefined) {
    const { resolved, skills } = await resolveForRun(tx, projectId, environmentId).catch(unrunnable);
    const { config } = resolved;
    const told = [systemPrompt ?? config.systemPrompt, ...(withSkills ? skills.map(toldSkill) : [])];
    return {
      kind: "environment",
      id: environmentId,
      name: resolved.environment.name ?? environmentId,
      servers: resolved.servers.map(({ serverId, name }) => ({ id: serverId, name })),
      model: resolved.effectiveModelId,
      modelSource: resolved.modelSource,
      system: told.filter(Boolean).join("\n\n"),
      temperature: config.temperature ?? null,
      config,
      ...(resolved.sandboxImageId !== undefined && { sandboxImageId: resolved.sandboxImageId }),
    };
  }
  const client =
    clientId === undefined
      ? undefined
      : await findClient(tx, { projectId, id: clientId, includePrivateBacking: true });
  if (clientId !== undefined && !client) {
    throw notFound("client", { path: "body.clientId" });
  }
  const config = client && readConfig(client);
  const wanted = serverIds ?? (config ? serversOf(config) : []);
  if (wanted.length === 0) {
    throw refused("VALIDATION_ERROR", "TARGET_REQUIRED", {
      path: "body.serverIds",
      hint: "Name serverIds or an environmentId.",
    });
  }
  const servers = await findServers(tx, projectId, wanted, "body.serverIds");
  return {
    kind: config ? "host" : "servers",
    id: clientId ?? null,
    name: servers.map(({ name }) => name).join(", "),
    servers,
    model: config?.modelId ?? null,
    modelSource: config ? "host" : "suite",
    system: systemPrompt ?? config?.systemPrompt ?? null,
    temperature: config?.temperature ?? null,
    ...(config && { config }),
  };
}

/** An environment that has nothing to speak to is no conflict of the caller's. */
function unrunnable(error: unknown): never {
  if (error instanceof ApiError && error.details?.code === "ENV_NO_SERVERS") {
    throw new ApiError("FEATURE_NOT_SUPPORTED", error.message, error.details);
  }
  throw error;
}
