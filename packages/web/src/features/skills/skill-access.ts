/** @module Who may change a skill, and if not, why; the service decides, this explains. */
import type { Skill } from "@fettle/contract/environments";
import type { Project } from "@fettle/contract/people";

export function isPlugins(skill: Skill): boolean {
  return skill.provenance === undefined;
}

/** Undefined: it can be changed. */
export function writeRefusal(skill: Skill, role: Project["role"] | undefined): string | undefined {
  if (isPlugins(skill)) return "It is part of a plugin; upload a new version of the plugin.";
  if (skill.isOwner || role === "admin") return undefined;
  return "Its owner or a project admin can do this.";
}
