/** @module Where an organization's models come from: providers and their keys, and the daily limit. */
import { z } from "zod";
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import {
  ModelBudget,
  ModelProvider,
  ModelProviderRequest,
  ModelProviderSaved,
  ModelTest,
} from "../../model-provider.ts";

const tag = "App organization";
const surface = "app";

export const listModelProviders = operation({
  id: "listModelProviders",
  tag,
  surface,
  method: "GET",
  path: "/organizations/{organizationId}/model-providers",
  access: access.organization.member,
  summary: "Providers of models and whether each can be used, never their keys",
  built: true,
  output: page(ModelProvider),
});

export const setModelProvider = operation({
  id: "setModelProvider",
  tag,
  surface,
  method: "PUT",
  path: "/organizations/{organizationId}/model-providers/{provider}",
  access: access.organization.admin,
  summary: "Set the organization's key, address and models of a provider",
  built: true,
  body: ModelProviderRequest,
  output: ModelProviderSaved,
  errors: ["VALIDATION_ERROR"],
});

export const removeModelProvider = operation({
  id: "removeModelProvider",
  tag,
  surface,
  method: "DELETE",
  path: "/organizations/{organizationId}/model-providers/{provider}",
  access: access.organization.admin,
  summary: "Remove the organization's settings of a provider, its key included, at once",
  built: true,
  narrows: true,
  output: z.object({ provider: z.string(), removed: z.literal(true) }),
});

export const testModelProvider = operation({
  id: "testModelProvider",
  tag,
  surface,
  method: "POST",
  path: "/organizations/{organizationId}/model-providers/{provider}/test",
  access: access.organization.admin,
  summary: "Ask a model of the provider for one word, and tell what came of it",
  built: true,
  spends: true,
  body: z.strictObject({
    model: z.string().trim().min(1).max(limits.models.nameLength).describe("As the provider calls it"),
  }),
  output: ModelTest,
  errors: ["VALIDATION_ERROR"],
});

export const setModelBudget = operation({
  id: "setModelBudget",
  tag,
  surface,
  method: "PUT",
  path: "/organizations/{organizationId}/model-budget",
  access: access.organization.admin,
  summary: "Set or lift the organization's daily limit for models",
  built: true,
  body: ModelBudget,
  output: ModelBudget,
  errors: ["VALIDATION_ERROR"],
});
