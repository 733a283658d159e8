/** @module Drafts personas and journeys from what servers offer: by the environment's model where that is one, else by rules. Nothing is stored. */
import { ApiError, type ServerId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { Operations } from "@fettle/contract/operations";
import {
  type GenerationDrafts,
  type JourneyGenerateRequest,
  type PersonaGenerateRequest,
  swarmLimits,
} from "@fettle/contract/visitors";
import { draftJourneys, draftPersonas, type Model, ruleModelId } from "@fettle/evals";
import type { Tool } from "@fettle/mcp";
import type { Call } from "../../core/routing/bind.ts";
import { resolveForRun } from "../../environments/saved/resolve.ts";
import { findServerGroup } from "../../environments/saved/store.ts";
import { findServers } from "../../environments/targets/named.ts";
import { openModel } from "../../models/open-model.ts";
import { listAllTools } from "../../servers/live/list-all-tools.ts";
import { draftByModel } from "./draft-by-model.ts";

type DraftCall = Call<Operations["generatePersonas"]> | Call<Operations["generateJourneys"]>;
type Ground = Pick<PersonaGenerateRequest, "environmentId" | "serverAttachmentId">;

export interface Offered {
  serverName: string;
  tools: Tool[];
}

const usual = swarmLimits.draftedJourneys.fallback;

export async function generatePersonas(
  call: Call<Operations["generatePersonas"]>,
  { personaCount, journeyCount = usual, existingPersonas = [], ...rest }: PersonaGenerateRequest,
): Promise<GenerationDrafts> {
  const { servers, model } = await openGround(call, rest);
  const wanted = personaCount ?? 1;
  const { drafts, ...said } = model
    ? {
        generationModel: model.id,
        drafts: await draftByModel(model, servers, call.request.signal, {
          personas: wanted,
          journeysEach: journeyCount,
          not: existingPersonas,
          about: rest.description,
        }),
      }
    : byRules(servers, wanted, journeyCount, existingPersonas);
  return personaCount === undefined
    ? { ...said, ...must(drafts[0], "as many drafts as personas") }
    : { ...said, personas: drafts };
}

function byRules(
  servers: readonly Offered[],
  wanted: number,
  journeyCount: number,
  existing: readonly { name: string }[],
) {
  const { skipped } = draftJourneys(servers, 0);
  return {
    generationModel: ruleModelId,
    drafts: draftPersonas(servers, wanted, existing).map((persona, at) => ({
      persona,
      journeys: draftJourneys(servers, journeyCount, at * journeyCount).journeys,
    })),
    ...(skipped.length > 0 && { skipped }),
  };
}

export async function generateJourneys(
  call: Call<Operations["generateJourneys"]>,
  { persona, journeyCount = usual, ...rest }: JourneyGenerateRequest,
): Promise<GenerationDrafts> {
  const { servers, model } = await openGround(call, rest);
  if (!model) {
    const { journeys, skipped } = draftJourneys(servers, journeyCount);
    return { generationModel: ruleModelId, journeys, ...(skipped.length > 0 && { skipped }) };
  }
  const [drafted] = await draftByModel(model, servers, call.request.signal, {
    personas: 1,
    persona,
    journeysEach: journeyCount,
    about: rest.description,
  });
  return { generationModel: model.id, journeys: must(drafted, "as many drafts as personas").journeys };
}

async function openGround(call: DraftCall, ground: Ground): Promise<{ servers: Offered[]; model?: Model }> {
  const { app, project } = call;
  const { named, modelName } = await nameServers(call, ground);
  const servers: Offered[] = [];
  for (const { id, name } of named) {
    servers.push({ serverName: name, tools: await listAllTools(call, project.id, id) });
  }
  if (modelName === undefined || modelName === ruleModelId) return { servers };
  const { organizationId } = project;
  const source = { kind: "swarmDrafts", id: project.id };
  return {
    servers,
    model: await openModel(app, { organizationId, projectId: project.id, name: modelName, source }),
  };
}

async function nameServers(
  { app, project }: DraftCall,
  { environmentId, serverAttachmentId }: Ground,
): Promise<{ named: { id: ServerId; name: string }[]; modelName?: string }> {
  if (environmentId !== undefined) {
    const { resolved } = await app.db.transaction((tx) => resolveForRun(tx, project.id, environmentId));
    // A resolved environment names its servers as ids of saved ones.
    const named = resolved.servers.map(({ serverId, name }) => ({ id: serverId as ServerId, name }));
    return { named, modelName: resolved.effectiveModelId };
  }
  const path = "body.serverAttachmentId";
  const group = serverAttachmentId && (await findServerGroup(app.db, project.id, serverAttachmentId));
  if (!group) {
    throw new ApiError("VALIDATION_ERROR", "There is no such server group.", { path, code: "NOT_FOUND" });
  }
  return { named: await findServers(app.db, project.id, group.serverIds, path) };
}
