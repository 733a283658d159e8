/** @module Binds the operations about models; no rules here. */
import type { Bindings } from "../core/routing/bind.ts";
import { setCapUsd } from "./budget.ts";
import { listModels } from "./catalog.ts";
import { listModelProviders, removeModelProvider, setModelProvider } from "./providers.ts";
import { readSpend } from "./spend.ts";
import { tryProvider } from "./try-provider.ts";

export const modelBindings = {
  listModels: ({ app, caller, query }) => listModels(app, caller, query.organizationId),
  listModelProviders: ({ app, organization }) => listModelProviders(app, organization.id),
  setModelProvider: ({ app, caller, organization, params, body }) =>
    setModelProvider(
      app,
      { organizationId: organization.id, userId: caller.userId, provider: params.provider },
      body,
    ),
  removeModelProvider: async ({ app, organization, params }) => {
    await removeModelProvider(app, organization.id, params.provider);
    return { provider: params.provider, removed: true };
  },
  testModelProvider: ({ app, organization, params, body, request }) =>
    tryProvider(
      app,
      { organizationId: organization.id, provider: params.provider, model: body.model },
      request.signal,
    ),
  getModelSpend: ({ app, organization, query }) => readSpend(app, organization.id, query.days),
  setModelBudget: async ({ app, organization, body }) => {
    await setCapUsd(app, organization.id, body.dailyCapUsd);
    return body;
  },
} satisfies Partial<Bindings>;
