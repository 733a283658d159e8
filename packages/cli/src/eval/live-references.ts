/** @module Whether the calls that a suite makes itself exist where it would run: each target alone, never the union of all. */
import type { ApiClient } from "@fettle/contract/client";
import { limits } from "@fettle/contract/core";
import type { SuiteFile } from "@fettle/evals";
import { findEnvironment } from "../cloud/find-environment.ts";
import type { Chosen } from "./hosted-target.ts";

export interface LiveFinding {
  code: "SERVER_NOT_FOUND" | "TOOL_NOT_FOUND" | "TARGET_NOT_CHECKABLE";
  target: string;
  path: (string | number)[];
  pointer: string;
  message: string;
}

export interface LiveReferences {
  targets: string[];
  valid: boolean;
  findings: LiveFinding[];
}

interface PinnedCall {
  path: (string | number)[];
  pointer: string;
  serverId: string | undefined;
  serverName: string;
  toolName: string;
}

interface Server {
  id: string;
  name: string;
}

interface LiveTarget {
  label: string;
  /** Undefined: it cannot be told beforehand. */
  servers: Server[] | undefined;
}

type Place = { client: ApiClient; projectId: string };

/**
 * Failures of the network or of the credential are thrown: they say nothing about the file. What was `chosen` for a launch goes
 * before what the file names.
 */
export async function checkLiveReferences(
  place: Place,
  suite: SuiteFile,
  chosen: Chosen = { kind: "suite" },
): Promise<LiveReferences> {
  const calls = pinnedCalls(suite);
  if (calls.length === 0) return { targets: [], valid: true, findings: [] };
  const targets = await targetsOf(place, suite, chosen);
  const inventories = new Map<string, ReturnType<typeof listNames>>();
  const toolsOf = (id: string) => {
    const known = inventories.get(id) ?? listNames(place, id);
    inventories.set(id, known);
    return known;
  };
  const findings: LiveFinding[] = [];
  for (const { label, servers } of targets) {
    for (const call of calls) {
      const say = (code: LiveFinding["code"], message: string) =>
        findings.push({ code, target: label, path: call.path, pointer: call.pointer, message });
      if (!servers) {
        say("TARGET_NOT_CHECKABLE", `${label} does not say beforehand which servers it has.`);
        continue;
      }
      // An id wins; the name is only shown then.
      const server =
        call.serverId === undefined
          ? byName(servers, call.serverName)
          : servers.find(({ id }) => id === call.serverId);
      if (!server) {
        say("SERVER_NOT_FOUND", `${label} has no server "${call.serverId ?? call.serverName}".`);
        continue;
      }
      const tools = await toolsOf(server.id);
      if (!tools) say("TARGET_NOT_CHECKABLE", `"${server.name}" lists more tools than are read.`);
      else if (!tools.has(call.toolName)) {
        say("TOOL_NOT_FOUND", `"${server.name}" has no tool "${call.toolName}".`);
      }
    }
  }
  return { targets: targets.map(({ label }) => label), valid: findings.length === 0, findings };
}

function pinnedCalls({ cases }: SuiteFile): PinnedCall[] {
  return cases.flatMap(({ disabled, steps }, index) =>
    disabled === true
      ? []
      : steps.flatMap((step, at) =>
          step.kind === "toolCall"
            ? [
                {
                  path: ["cases", index, "steps", at],
                  pointer: `cases[${index}].steps[${at}]`,
                  serverId: step.serverId,
                  serverName: step.serverName,
                  toolName: step.toolName,
                },
              ]
            : [],
        ),
  );
}

/** Exactly as it is written, else however it is. */
function byName(servers: readonly Server[], wanted: string): Server | undefined {
  const spelled = wanted.toLowerCase();
  return (
    servers.find(({ name }) => name === wanted) ?? servers.find(({ name }) => name.toLowerCase() === spelled)
  );
}

/** A file's environment comes before its hosts, and both before its servers. */
async function targetsOf(place: Place, { target }: SuiteFile, chosen: Chosen): Promise<LiveTarget[]> {
  const { client, projectId } = place;
  if (chosen.kind === "attached") return [{ label: "What is attached to the suite", servers: undefined }];
  if (chosen.kind === "composed") return [{ label: "What is composed", servers: undefined }];
  const { items } = await client.listProjectServers({ projectId });
  const saved: Server[] = items.map(({ id, name }) => ({ id, name }));
  const named = (wanted: readonly { name: string; id?: string | undefined }[]) =>
    wanted.flatMap(
      ({ id, name }) =>
        (id === undefined ? byName(saved, name) : saved.find((server) => server.id === id)) ?? [],
    );
  const environmentOf = async (selector: string): Promise<LiveTarget> => {
    const { id } = await findEnvironment(client, projectId, selector);
    const { servers } = await client.resolveEnvironment({ projectId, environmentId: id });
    return { label: selector, servers: servers.map(({ serverId, name }) => ({ id: serverId, name })) };
  };
  const hostOf = async (selector: string, label: string): Promise<LiveTarget> => {
    const { config } = await client.getClient({ projectId, client: selector });
    const own = config.serverIds;
    // One that the project no longer has makes the set unknown.
    const isWhole = own?.every((one) => saved.some(({ id }) => id === one)) === true;
    return { label, servers: isWhole ? saved.filter(({ id }) => own.some((one) => one === id)) : undefined };
  };
  if (chosen.kind === "environments") return Promise.all(chosen.things.map(({ id }) => environmentOf(id)));
  if (chosen.kind === "hosts") {
    return Promise.all(chosen.things.map(({ id, name }) => hostOf(id, name ?? id)));
  }
  if (chosen.kind === "servers") {
    const servers = saved.filter(({ id }) => chosen.things.some((one) => one.id === id));
    return [{ label: servers.map(({ name }) => name).join(", "), servers }];
  }
  if (target.environment !== undefined) return [await environmentOf(target.environment)];
  if (target.hosts !== undefined) {
    return await Promise.all(
      // An explicitly empty list is a real empty set.
      target.hosts.map(async ({ id, name, servers }) => {
        if (!servers) return hostOf(id ?? name, name);
        const found = named(servers);
        return { label: name, servers: found.length === servers.length ? found : undefined };
      }),
    );
  }
  return [{ label: "servers", servers: named(target.servers ?? []) }];
}

/** Undefined: the list went on after its last page, so that what is not in it may still be there. */
async function listNames(
  { client, projectId }: Place,
  serverId: string,
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < limits.compat.toolListPages; pages += 1) {
    const page = await client.listTools({
      projectId,
      serverId,
      body: cursor === undefined ? {} : { cursor },
    });
    for (const { name } of page.items) names.add(name);
    cursor = page.nextCursor;
    if (cursor === undefined) return names;
  }
  return undefined;
}
