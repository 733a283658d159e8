/** @module Operations of the Catalog tag about models: which there are, and what they cost. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { limits } from "../../core/limits/limits.ts";
import { access, operation } from "../../core/operation.ts";
import { ModelList } from "../model.ts";
import { ModelSpend } from "../model-provider.ts";

const tag = "Catalog";

export const listModels = operation({
  id: "listModels",
  tag,
  method: "GET",
  path: "/models",
  access: access.any,
  elevated: "an organization's own models are listed to its people alone",
  summary:
    "List the models this deployment offers, and the caller's organization; a key sees those of its own",
  description: "Lists the models that evals, chats and swarms can use, with their prices where known.",
  built: true,
  query: z.strictObject({ organizationId: idOf<"organization">().optional() }),
  output: ModelList,
});

export const getModelSpend = operation({
  id: "getModelSpend",
  tag,
  method: "GET",
  path: "/organizations/{organizationId}/model-spend",
  access: access.organization.admin,
  summary: "Model spend: today, by day, by project and by model",
  description: "Reads what an organization spent on models, by day and by what it was spent for.",
  cli: "fettle cloud organizations spend",
  built: true,
  query: z.strictObject({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.models.spendDays.max)
      .default(limits.models.spendDays.fallback),
  }),
  output: ModelSpend,
  errors: ["VALIDATION_ERROR"],
});
