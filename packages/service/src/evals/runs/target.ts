/** @module What a launch runs against: what it names, else the one thing attached, else the saved servers. */
import type { ClientId, EnvironmentId } from "@fettle/contract/core";
import { fullModelName } from "@fettle/evals";
import { eq } from "drizzle-orm";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { environments } from "../../core/tables/environments.ts";
import { evalSuiteEnvironments } from "../../core/tables/eval-suites.ts";
import type { LaunchExpectations } from "../../environments/saved/resolve.ts";
import { findEnvironment } from "../../environments/saved/store.ts";
import { findServers } from "../../environments/targets/named.ts";
import { refused } from "../../environments/targets/refuse.ts";
import {
  type AttachedHost,
  type FrozenTarget,
  ofEnvironment,
  ofHost,
} from "../../environments/targets/target.ts";
import { listHosts } from "../suites/store.ts";
import type { SuiteRow } from "./frozen.ts";

export interface WantedTarget {
  environmentId?: EnvironmentId | undefined;
  namedHostId?: ClientId | undefined;
  serverIds?: readonly string[] | undefined;
  skillsOverride?: "exclude" | undefined;
}

interface Attached {
  environments: { id: EnvironmentId; name: string | null }[];
  hosts: AttachedHost[];
}

/** The same suite, attachments and request always give the same target. */
export async function resolveTarget(
  tx: Transaction,
  suite: SuiteRow,
  wanted: WantedTarget,
  expected: LaunchExpectations = {},
): Promise<FrozenTarget> {
  const target = ofSuiteModel(suite, await chosenTarget(tx, suite, wanted, expected));
  // What the environment pins goes before what the suite names.
  const isPinned = target.environment?.resolved.sandboxImageId !== undefined;
  return isPinned || suite.sandboxImageId === null
    ? target
    : { ...target, sandboxImageId: suite.sandboxImageId };
}

/** A suite that insists on its own model is played by it, as whichever client. */
function ofSuiteModel(suite: SuiteRow, target: FrozenTarget): FrozenTarget {
  const { model, provider, settings } = suite;
  if (settings.modelSource !== "suite" || model === null) return target;
  return { ...target, model: fullModelName(model, provider), modelSource: "suite" };
}

async function chosenTarget(
  tx: Transaction,
  suite: SuiteRow,
  wanted: WantedTarget,
  expected: LaunchExpectations,
): Promise<FrozenTarget> {
  const attached = await findAttached(tx, suite);
  const { environmentId, namedHostId, serverIds } = wanted;
  if (environmentId !== undefined) {
    const isAttached = attached.environments.some(({ id }) => id === environmentId);
    if (!isAttached && !(await isAdhoc(tx, suite, environmentId))) {
      throw refused("VALIDATION_ERROR", "ENVIRONMENT_NOT_ATTACHED", undefined, {
        path: "body.environmentId",
      });
    }
    return unattended(await ofEnvironment(tx, suite, environmentId, wanted, expected));
  }
  if (namedHostId !== undefined) {
    const host = attached.hosts.find(({ id }) => id === namedHostId);
    if (!host)
      throw refused("VALIDATION_ERROR", "HOST_NOT_ATTACHED", undefined, { path: "body.namedHostId" });
    return unattended(await ofHost(tx, suite, host));
  }
  if (serverIds !== undefined) {
    if (attached.environments.length > 0) {
      throw refused("VALIDATION_ERROR", "ENVIRONMENT_SERVERS_NOT_OVERRIDABLE", undefined, {
        path: "body.serverIds",
      });
    }
    return ofServers(tx, suite, serverIds);
  }
  const choices = attached.environments.length + attached.hosts.length;
  if (choices > 1) throw targetRequired(attached);
  const [environment] = attached.environments;
  if (environment) return unattended(await ofEnvironment(tx, suite, environment.id, wanted, expected));
  const [host] = attached.hosts;
  if (host) return unattended(await ofHost(tx, suite, host));
  if (suite.serverIds.length === 0) throw refused("VALIDATION_ERROR", "NO_SAVED_SERVER_SELECTION");
  return ofServers(tx, suite, suite.serverIds);
}

/** Made for single runs: it has no name, is in no list, and is what its parts are. */
async function isAdhoc(db: Querier, { projectId }: SuiteRow, id: EnvironmentId): Promise<boolean> {
  const environment = await findEnvironment(db, projectId, id);
  return environment?.name === null;
}

function targetRequired({ environments: attached, hosts }: Attached) {
  return refused("VALIDATION_ERROR", "TARGET_REQUIRED", undefined, {
    environmentIds: attached.map(({ id }) => id),
    hosts: hosts.map(({ id, name }) => ({ id, name })),
    targets: [
      ...attached.map(({ id, name }) => ({ environmentId: id, name })),
      ...hosts.map(({ id, name }) => ({ namedHostId: id, name })),
    ],
    hint: "Name one of them, or launch a group with several.",
  });
}

async function findAttached(db: Querier, suite: SuiteRow): Promise<Attached> {
  const attached = await db
    .select({ id: environments.id, name: environments.name })
    .from(evalSuiteEnvironments)
    .innerJoin(environments, eq(environments.id, evalSuiteEnvironments.environmentId))
    .where(eq(evalSuiteEnvironments.suiteId, suite.id))
    .orderBy(evalSuiteEnvironments.position);
  const hosts = await listHosts(db, suite.id);
  return {
    environments: attached,
    hosts: hosts.map(({ clientId, ...host }) => ({ ...host, id: clientId })),
  };
}

async function ofServers(tx: Transaction, suite: SuiteRow, wanted: readonly string[]): Promise<FrozenTarget> {
  const chosen = await findServers(tx, suite.projectId, wanted, "body.serverIds");
  return {
    kind: "servers",
    id: null,
    name: chosen.map(({ name }) => name).join(", "),
    servers: chosen,
    model: suite.model === null ? null : fullModelName(suite.model, suite.provider),
    modelSource: "suite",
    system: suite.systemPrompt,
    temperature: suite.temperature,
  };
}

/** Nobody is there to be asked. */
function unattended(target: FrozenTarget): FrozenTarget {
  if (target.config?.requireToolApproval !== true) return target;
  const message = "The client asks a person before every call, and a run has nobody to ask.";
  throw refused("VALIDATION_ERROR", "EVAL_EXECUTION_UNAVAILABLE", message, {
    hint: "Turn requireToolApproval off in the client, or run against another.",
  });
}
