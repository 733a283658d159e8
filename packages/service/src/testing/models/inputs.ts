/** @module What a test sends to the operations on providers of models and what they cost. */
import type { App } from "../../core/app.ts";
import { setModelProvider } from "../../models/providers.ts";
import type { World } from "../world.ts";

const savedProvider = async ({ organizationId, people }: World, app: App) => {
  const change = { organizationId, userId: people.owner.userId, provider: "custom:nowhere" };
  await setModelProvider(app, change, { baseUrl: "http://127.0.0.1:9/v1", models: [] });
  return { provider: change.provider };
};

export const modelInputs = {
  listModelProviders: {},
  setModelProvider: { params: () => ({ provider: "openai" }), body: () => ({ apiKey: "sk-of-nobody" }) },
  removeModelProvider: { params: savedProvider },
  // What came of it is the answer. Nothing listens there.
  testModelProvider: { params: savedProvider, body: () => ({ model: "none" }) },
  getModelSpend: {},
  setModelBudget: { body: () => ({ dailyCapUsd: null }) },
};
