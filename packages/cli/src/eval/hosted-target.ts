/** @module What a hosted launch is told to run against, found in the project before anything is written. */
import type { ApiClient } from "@fettle/contract";
import type { SuiteFile } from "@fettle/evals";
import { CliError, usageError } from "../cli-error.ts";
import { type Found, finders, type Noun } from "../cloud/finders.ts";

export interface Place {
  client: ApiClient;
  projectId: string;
}

export interface TargetFlags {
  server: string[];
  environment: string[];
  host: string[];
  allTargets: boolean;
}

/** One axis at a time; `attached` is whatever the suite has, `suite` leaves the choice to the service. */
export type Chosen =
  | { kind: "environments" | "hosts" | "servers"; things: Found[] }
  | { kind: "attached" }
  | { kind: "suite" };

export function refuseMixedTargets({ server, environment, host, allTargets }: TargetFlags): void {
  const named = [
    environment.length > 0 && "--environment",
    host.length > 0 && "--host",
    server.length > 0 && "--server",
    allTargets && "--all-targets",
  ].filter((flag) => flag !== false);
  if (named.length > 1) throw usageError(`${named.join(" and ")} exclude each other.`);
}

export async function chooseTarget(place: Place, flags: TargetFlags): Promise<Chosen> {
  if (flags.allTargets) return { kind: "attached" };
  const axes = [
    ["environments", "environment", flags.environment],
    ["hosts", "client", flags.host],
    ["servers", "server", flags.server],
  ] as const;
  for (const [kind, noun, selectors] of axes) {
    if (selectors.length > 0) return { kind, things: await findAll(place, noun, selectors) };
  }
  return { kind: "suite" };
}

/** What the file says where no flag does: its environment, else its hosts. Its servers are the suite's own. */
export async function chooseFromFile(place: Place, { target }: SuiteFile): Promise<Chosen> {
  if (target.environment !== undefined) {
    return { kind: "environments", things: await findAll(place, "environment", [target.environment]) };
  }
  const hosts = target.hosts?.map(({ id, name }) => id ?? name) ?? [];
  return hosts.length > 0
    ? { kind: "hosts", things: await findAll(place, "client", hosts) }
    : { kind: "suite" };
}

async function findAll(place: Place, noun: Noun, selectors: readonly string[]): Promise<Found[]> {
  const find = await finders[noun](place);
  const found: Found[] = [];
  for (const selector of selectors) found.push(await find(selector));
  return found;
}

/** The fields of a launch that say where. */
export async function launchFields(
  { client, projectId }: Place,
  suiteId: string,
  chosen: Chosen,
): Promise<{ environmentId?: string; namedHostId?: string; serverIds?: string[] }> {
  switch (chosen.kind) {
    case "suite":
      return {};
    case "servers":
      return { serverIds: chosen.things.map(({ id }) => id) };
    case "environments":
      return { environmentId: only(chosen.things.map(({ id }) => id)) };
    case "hosts":
      return { namedHostId: only(chosen.things.map(({ id }) => id)) };
    case "attached": {
      const { environmentIds, hosts } = await client.getEvalSuite({ projectId, suiteId });
      if (environmentIds.length > 0) return { environmentId: only(environmentIds) };
      if (hosts.length > 0) return { namedHostId: only(hosts.map(({ id }) => id)) };
      throw new CliError("VALIDATION_ERROR", "The suite has neither environments nor clients attached.");
    }
  }
}

function only(ids: readonly string[]): string {
  const [id, another] = new Set(ids);
  if (id !== undefined && another === undefined) return id;
  throw new CliError("UNSUPPORTED", "One launch against several targets is not built yet.", {
    hint: "Launch each by itself, with --environment or --host.",
  });
}
