/** @module `--compose-*`: a stack put together on the command line, made into the unnamed environment that it always is. */
import type { AdhocEnvironment } from "@fettle/contract/environments";
import { must } from "@fettle/contract/formats";
import { finders } from "../cloud/finders.ts";
import type { Place } from "./hosted-target.ts";

export interface ComposeFlags {
  host: string | undefined;
  computer: string | undefined;
  model: string | undefined;
  serverGroup: string | undefined;
  skill: readonly string[];
  /** Attach it to the suite, for later runs too. */
  save: boolean;
}

export interface ComposedStack {
  hostId: string;
  sandboxImageId?: string;
  modelId?: string;
  serverAttachmentId?: string;
  skillSelection?: { mode: "explicit"; skillIds: string[] };
}

/** What composing writes, told even where the launch then fails. */
export interface Composed {
  environment: { id: string; name: null; revision: number; adhoc: true; created: boolean };
  attachment: { attached: boolean };
}

export function readCompose(typed: {
  composeHost: string | undefined;
  composeComputer: string | undefined;
  composeModel: string | undefined;
  composeServerGroup: string | undefined;
  composeSkill: readonly string[];
  saveTargets: boolean;
}): ComposeFlags {
  return {
    host: typed.composeHost,
    computer: typed.composeComputer,
    model: typed.composeModel,
    serverGroup: typed.composeServerGroup,
    skill: typed.composeSkill,
    save: typed.saveTargets,
  };
}

/** The first of them that was typed. */
export function typedCompose({
  host,
  computer,
  model,
  serverGroup,
  skill,
}: ComposeFlags): string | undefined {
  if (host !== undefined) return "--compose-host";
  if (computer !== undefined) return "--compose-computer";
  if (model !== undefined) return "--compose-model";
  if (serverGroup !== undefined) return "--compose-server-group";
  return skill.length > 0 ? "--compose-skill" : undefined;
}

/** Finds everything it is made of; writes nothing. */
export async function findStack(place: Place, typed: ComposeFlags): Promise<ComposedStack> {
  const { computer, model, serverGroup } = typed;
  const idOf = async (noun: "client" | "server group" | "shared image", selector: string) =>
    (await (await finders[noun](place))(selector)).id;
  const skillIds: string[] = [];
  if (typed.skill.length > 0) {
    const find = await finders.skill(place);
    for (const selector of typed.skill) skillIds.push((await find(selector)).id);
  }
  return {
    hostId: await idOf("client", must(typed.host, "the client that is refined")),
    ...(computer !== undefined && { sandboxImageId: await idOf("shared image", computer) }),
    ...(model !== undefined && { modelId: model }),
    ...(serverGroup !== undefined && { serverAttachmentId: await idOf("server group", serverGroup) }),
    ...(skillIds.length > 0 && { skillSelection: { mode: "explicit" as const, skillIds } }),
  };
}

/** The suite stays as it is unless `save` attaches the environment behind its own: later runs, schedules and exports read those. */
export async function compose(
  { client, projectId }: Place,
  suiteId: string,
  { stack, save }: { stack: ComposedStack; save: boolean },
): Promise<Composed> {
  const { environment, created } = await client.ensureAdhocEnvironment({ projectId, body: stack });
  const { id, revision }: AdhocEnvironment = environment;
  const { attached } = save
    ? await client.attachEvalSuiteEnvironment({ projectId, suiteId, body: { environmentId: id } })
    : { attached: false };
  return { environment: { id, name: null, revision, adhoc: true, created }, attachment: { attached } };
}
