/** @module The assistant that visitors of a place talk to, as it was frozen. */
import { swarmLimits } from "@fettle/contract/visitors";
import { type Agent, type AgentServer, createAgent, type Model } from "@fettle/evals";
import type { FrozenPlace } from "./frozen.ts";

export function assistantOf(
  { target, driver }: FrozenPlace,
  model: Model,
  servers: readonly AgentServer[],
  { now, clock }: { now: number; clock?: (() => number) | undefined },
): Agent {
  return createAgent({
    model,
    servers,
    ...(target.system && { system: target.system }),
    parameters: {
      ...(target.temperature !== null && { temperature: target.temperature }),
      ...(driver === "model" && { maxOutputTokens: swarmLimits.answerTokens }),
    },
    now,
    ...(clock && { clock }),
  });
}
