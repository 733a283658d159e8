/** @module Whether the calls that a suite makes itself exist where it would run: each target alone, never the union of all. */
import { type ApiClient, limits } from "@fettle/contract";
import type { SuiteFile } from "@fettle/evals";
import { findEnvironment } from "../cloud/find-environment.ts";

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

/** Failures of the network or of the credential are thrown: they say nothing about the file. */
export async function checkLiveReferences(place: Place, suite: SuiteFile): Promise<LiveReferences> {
  const calls = pinnedCalls(suite);
  if (calls.length === 0) return { targets: [], valid: true, findings: [] };
  const targets = await targetsOf(place, suite);
  const inventories = new Map<string, Promise<ReadonlySet<string>>>();
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
        say("TARGET_NOT_CHECKABLE", `${label} does not say which servers it has.`);
        continue;
      }
      // An id wins; the name is only shown then.
      const server = servers.find(({ id, name }) =>
        call.serverId === undefined ? name === call.serverName : id === call.serverId,
      );
      if (!server) say("SERVER_NOT_FOUND", `${label} has no server "${call.serverId ?? call.serverName}".`);
      else if (!(await toolsOf(server.id)).has(call.toolName)) {
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

/** A file's environment comes before its hosts, and both before its servers. */
async function targetsOf({ client, projectId }: Place, { target }: SuiteFile): Promise<LiveTarget[]> {
  const { items } = await client.listProjectServers({ projectId });
  const saved: Server[] = items.map(({ id, name }) => ({ id, name }));
  const named = (wanted: readonly { name: string; id?: string | undefined }[]) =>
    saved.filter((server) =>
      wanted.some(({ id, name }) => (id === undefined ? name === server.name : id === server.id)),
    );
  if (target.environment !== undefined) {
    const { id } = await findEnvironment(client, projectId, target.environment);
    const { servers } = await client.resolveEnvironment({ projectId, environmentId: id });
    return [
      { label: target.environment, servers: servers.map(({ serverId, name }) => ({ id: serverId, name })) },
    ];
  }
  if (target.hosts !== undefined) {
    return await Promise.all(
      target.hosts.map(async ({ id, name, servers }): Promise<LiveTarget> => {
        // An explicitly empty list is a real empty set.
        if (servers) return { label: name, servers: named(servers) };
        const { config } = await client.getClient({ projectId, client: id ?? name });
        const own = config.serverIds;
        return {
          label: name,
          servers: own && saved.filter((server) => own.some((one) => one === server.id)),
        };
      }),
    );
  }
  return [{ label: "servers", servers: named(target.servers ?? []) }];
}

async function listNames({ client, projectId }: Place, serverId: string): Promise<ReadonlySet<string>> {
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
    if (cursor === undefined) break;
  }
  return names;
}
