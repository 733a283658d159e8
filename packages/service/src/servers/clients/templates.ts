/** @module The templates a client can be made from. */
import { ApiError } from "@fettle/contract/core";
import type { ClientTemplate, ClientTemplateId, Theme } from "@fettle/contract/environments";
import { must } from "@fettle/contract/formats";
import { loadTemplates } from "@fettle/mcp";
import { type ResolvedConfig, resolveConfig } from "./config.ts";

export async function listTemplates(): Promise<ClientTemplate[]> {
  return (await loadTemplates()).map(({ id, label, themes, config }) => ({
    id,
    label,
    hostStyle: config.hostStyle,
    modelId: config.modelId,
    themes,
  }));
}

export async function configFromTemplate(
  id: ClientTemplateId,
  theme: Theme | undefined,
): Promise<ResolvedConfig> {
  const found = (await loadTemplates()).find((template) => template.id === id);
  const { config, label, themes } = must(found, "a template for each of their ids");
  if (theme === undefined) return resolveConfig(config);
  if (!themes.includes(theme)) {
    throw new ApiError("VALIDATION_ERROR", `${label} has no theme to choose.`, { path: "body.theme" });
  }
  return resolveConfig({ ...config, hostContext: { ...(config.hostContext as object), theme } });
}
