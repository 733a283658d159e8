/** @module What an environment pins on top of its client, in a few words. */
import type { Environment } from "@fettle/contract/environments";

/**
 * @example
 * pinWords(environment) // "server group, model, 2 skills"
 */
export function pinWords(
  environment: Pick<Environment, "serverAttachmentId" | "modelId" | "skillSelection" | "pluginVersionIds">,
): string {
  const skills = environment.skillSelection?.skillIds.length ?? 0;
  const versions = environment.pluginVersionIds?.length ?? 0;
  const said = [
    environment.serverAttachmentId && "server group",
    environment.modelId && "model",
    skills > 0 && `${skills} skill${skills === 1 ? "" : "s"}`,
    versions > 0 && `${versions} plugin${versions === 1 ? "" : "s"}`,
  ].filter(Boolean);
  return said.join(", ") || "nothing";
}
