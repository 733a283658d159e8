/** @module What the first message settles, as it is chosen in the page. Pure. */
import type { AttendedMessage } from "../../api/chat-stream.ts";

export interface Start {
  /** Empty: the one of the environment or of the client. */
  modelId: string;
  speaksTo: "servers" | "environment";
  serverIds: readonly string[];
  environmentId: string;
  clientId: string;
  toolMode: "read_only" | "auto";
  asks: boolean;
  systemPrompt: string;
  /** As typed; empty is the model's own. */
  temperature: string;
}

/** Needs no key and costs nothing, so that everybody can begin. */
export const rulesModel = "fettle/rules-1";

export const usualStart: Start = {
  modelId: rulesModel,
  speaksTo: "servers",
  serverIds: [],
  environmentId: "",
  clientId: "",
  toolMode: "read_only",
  asks: false,
  systemPrompt: "",
  temperature: "",
};

/** Whoever lets a model change things wants to be asked, unless they say otherwise. */
export const withMode = (start: Start, toolMode: Start["toolMode"]): Start => ({
  ...start,
  toolMode,
  asks: toolMode === "auto",
});

/** Why it cannot begin yet; undefined when it can. */
export function lackOf({ modelId, speaksTo, environmentId, serverIds, clientId }: Start): string | undefined {
  if (speaksTo === "environment") return environmentId === "" ? "Choose an environment." : undefined;
  if (modelId === "" && clientId === "") return "Choose a model.";
  return serverIds.length === 0 && clientId === "" ? "Choose at least one server." : undefined;
}

export function firstMessage(
  start: Start,
  { projectId, message, idempotencyKey }: { projectId: string; message: string; idempotencyKey: string },
): AttendedMessage {
  const { speaksTo, modelId, serverIds, environmentId, clientId, toolMode, asks } = start;
  const temperature = Number(start.temperature);
  const body = {
    projectId,
    message,
    idempotencyKey,
    toolMode,
    askBeforeCalls: asks,
    ...(modelId !== "" && { modelId }),
    ...(speaksTo === "environment" ? { environmentId } : {}),
    ...(speaksTo === "servers" && serverIds.length > 0 && { serverIds: [...serverIds] }),
    ...(speaksTo === "servers" && clientId !== "" && { clientId }),
    ...(start.systemPrompt.trim() !== "" && { systemPrompt: start.systemPrompt }),
    ...(start.temperature.trim() !== "" && Number.isFinite(temperature) && { temperature }),
  };
  // The ids are of things that were listed.
  return body as AttendedMessage;
}
