/** @module Whether an environment may pin a skill, and if not, why. */
import type { PluginVersionId } from "@fettle/contract/core";
import type { Pinnability } from "@fettle/contract/environments";

type PinRefusal = Extract<Pinnability, { ok: false }>["code"];

interface PinnedSkill {
  sharing: "user" | "project";
  pluginVersionId: PluginVersionId | null;
  extraFrontmatter: string[];
  files: Record<string, unknown>;
}

/** A run hands a pinned skill to its model as one text, so whatever that text would leave out keeps it from being pinned. */
export function pinnabilityOf(skill: PinnedSkill): Pinnability {
  const refuse = (code: PinRefusal, reason: string): Pinnability => ({ ok: false, code, reason });
  if (skill.pluginVersionId !== null) {
    return refuse("PLUGIN_COMPONENT", "It is part of a plugin; pin the plugin's version instead.");
  }
  if (skill.sharing === "user") return refuse("PERSONAL_SKILL", "It is a draft; share it with the project.");
  if (Object.keys(skill.files).length > 0) return refuse("SUPPORTING_FILES", "It has supporting files.");
  if (skill.extraFrontmatter.length > 0) {
    return refuse(
      "EXTRA_FRONTMATTER",
      `Its front matter says more than name and description: ${skill.extraFrontmatter.join(", ")}.`,
    );
  }
  return { ok: true };
}
