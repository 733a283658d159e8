/** @module The assistant that visitors of a place talk to, as it was frozen. */
import { swarmLimits } from "@fettle/contract";
import { type Agent, createAgent, type Model, type ServerLink } from "@fettle/evals";
import type { FrozenPlace } from "./frozen.ts";

export function assistantOf(
  { target, driver }: FrozenPlace,
  model: Model,
  servers: readonly ServerLink[],
  now: number,
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
  });
}
