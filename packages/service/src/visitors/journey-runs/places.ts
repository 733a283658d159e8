/** @module Where the visitors of a launch go: the environments that it or the journey names, else the journey's clients. */
import { ApiError, type EnvironmentId } from "@fettle/contract/core";
import { swarmLimits } from "@fettle/contract/visitors";
import type { Transaction } from "../../core/db/pool.ts";
import { findServerGroup } from "../../environments/saved/store.ts";
import { requireEnvironments } from "../../environments/targets/named.ts";
import { ofEnvironment, ofHost } from "../../environments/targets/target.ts";
import { readConfig } from "../../servers/clients/clients.ts";
import { serversOf } from "../../servers/clients/config.ts";
import { findClient } from "../../servers/clients/store.ts";
import type { JourneyRow } from "../swarms/shared-sql.ts";
import type { FrozenPlace } from "./frozen.ts";

type Target = FrozenPlace["target"];

/** In the order they were named. Held until the transaction ends, so that what is frozen is what was there. */
export async function resolvePlaces(
  tx: Transaction,
  journey: JourneyRow,
  wanted: readonly EnvironmentId[] | undefined,
): Promise<Target[]> {
  if (wanted) await requireEnvironments(tx, journey.projectId, wanted, "body.environmentIds");
  const environmentIds = wanted ?? journey.environmentIds;
  const targets =
    environmentIds.length > 0
      ? await inEnvironments(tx, journey, environmentIds)
      : await asClients(tx, journey);
  if (targets.length === 0) {
    throw refuse("NO_TARGETS", "The journey says neither an environment nor a client to be made in.", {
      hint: "Name an environment in the launch, or give the journey one.",
    });
  }
  const sessions = targets.length * journey.sessionsPerTarget;
  const limit = swarmLimits.sessionsPerLaunch;
  if (sessions > limit) {
    const message = `The launch would be ${sessions} sessions; one may be ${limit}.`;
    throw refuse("TOO_MANY_SESSIONS", message, { sessions, limit });
  }
  for (const { config, name } of targets) {
    if (config?.requireToolApproval === true) {
      const message = `The client of ${name} asks a person before every call, and a synthetic visitor cannot approve.`;
      throw refuse("APPROVAL_UNSUPPORTED", message, {
        hint: "Turn requireToolApproval off in the client, or launch elsewhere.",
      });
    }
  }
  return targets;
}

async function inEnvironments(tx: Transaction, { projectId }: JourneyRow, ids: readonly EnvironmentId[]) {
  const targets: Target[] = [];
  for (const id of new Set(ids)) {
    const target = await ofEnvironment(tx, { projectId, systemPrompt: null }, id, {}, {});
    targets.push({ ...target, kind: "environment", id });
  }
  return targets;
}

async function asClients(tx: Transaction, { projectId, hostIds, serverAttachmentId }: JourneyRow) {
  const group = serverAttachmentId ? await findServerGroup(tx, projectId, serverAttachmentId) : undefined;
  const targets: Target[] = [];
  for (const id of new Set(hostIds ?? [])) {
    const client = await findClient(tx, { projectId, id, includePrivateBacking: true });
    if (!client) throw refuse("HOST_NOT_FOUND", "A client of the journey was deleted.", { hostId: id });
    const serverIds = group?.serverIds ?? serversOf(readConfig(client));
    const host = { id, name: client.name, serverIds };
    targets.push({ ...(await ofHost(tx, { projectId, systemPrompt: null }, host)), kind: "host", id });
  }
  return targets;
}

export function refuse(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { code, reason: code, ...details });
}
