/** @module What a hosted launch is told to run against, found in the project before anything is written. */
import type { ApiClient } from "@fettle/contract/client";
import type { SuiteFile } from "@fettle/evals";
import { CliError, usageError } from "../cli-error.ts";
import { type Found, finders, type Noun } from "../cloud/finders.ts";
import { type ComposedStack, type ComposeFlags, findStack, typedCompose } from "./compose.ts";

export interface Place {
  client: ApiClient;
  projectId: string;
}

export interface TargetFlags {
  server: readonly string[];
  environment: readonly string[];
  host: readonly string[];
  allTargets: boolean;
  compose: ComposeFlags;
}

/** One axis at a time; `attached` is whatever the suite has, `suite` leaves the choice to the service. */
export type Chosen =
  | { kind: "environments" | "hosts" | "servers"; things: Found[] }
  | { kind: "composed"; stack: ComposedStack; save: boolean }
  | { kind: "attached" }
  | { kind: "suite" };

export function refuseMixedTargets({ server, environment, host, allTargets, compose }: TargetFlags): void {
  const named = [
    typedCompose(compose),
    environment.length > 0 && "--environment",
    host.length > 0 && "--host",
    server.length > 0 && "--server",
    allTargets && "--all-targets",
  ].filter((flag) => flag !== undefined && flag !== false);
  if (named.length > 1) throw usageError(`${named.join(" and ")} exclude each other.`);
  if (typedCompose(compose) && compose.host === undefined) {
    throw usageError(`${typedCompose(compose)} needs --compose-host, the client that it refines.`);
  }
  if (compose.save && compose.host === undefined) {
    throw usageError("--save-targets goes with --compose-host.", {
      hint: "Attach saved environments with `fettle cloud eval environments set`.",
    });
  }
}

export async function chooseTarget(place: Place, flags: TargetFlags): Promise<Chosen> {
  if (flags.allTargets) return { kind: "attached" };
  if (typedCompose(flags.compose)) {
    return { kind: "composed", stack: await findStack(place, flags.compose), save: flags.compose.save };
  }
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

/** Each once, in the order of their first naming. */
async function findAll(place: Place, noun: Noun, selectors: readonly string[]): Promise<Found[]> {
  const find = await finders[noun](place);
  const found = new Map<string, Found>();
  for (const selector of selectors) {
    const thing = await find(selector);
    found.set(thing.id, thing);
  }
  return [...found.values()];
}

/** Where one run is wanted, in the fields of a launch. */
export interface LaunchTarget {
  where: { environmentId?: string; namedHostId?: string; serverIds?: string[] };
  name: string | null;
}

/** One for each run. A composed environment was made before this is asked. */
export async function launchTargets(
  { client, projectId }: Place,
  suiteId: string,
  chosen: Exclude<Chosen, { kind: "composed" }>,
): Promise<LaunchTarget[]> {
  switch (chosen.kind) {
    case "suite":
      return [{ where: {}, name: null }];
    case "servers":
      return [{ where: { serverIds: chosen.things.map(({ id }) => id) }, name: null }];
    case "environments":
      return chosen.things.map(({ id, name }) => ({ where: { environmentId: id }, name }));
    case "hosts":
      return chosen.things.map(({ id, name }) => ({ where: { namedHostId: id }, name }));
    case "attached": {
      const { environmentIds, hosts } = await client.getEvalSuite({ projectId, suiteId });
      if (environmentIds.length > 0) {
        return environmentIds.map((environmentId) => ({ where: { environmentId }, name: null }));
      }
      if (hosts.length > 0) return hosts.map(({ id, name }) => ({ where: { namedHostId: id }, name }));
      throw new CliError("VALIDATION_ERROR", "The suite has neither environments nor clients attached.", {
        hint: "Leave --all-targets out to run its saved servers, or attach environments with `fettle cloud eval environments set`.",
      });
    }
  }
}

/** Whether more than one run would be made; `attached` is meant to be. */
export function isSeveral(chosen: Chosen): boolean {
  return (
    chosen.kind === "attached" ||
    ((chosen.kind === "environments" || chosen.kind === "hosts") && chosen.things.length > 1)
  );
}
