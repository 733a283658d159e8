/** @module Whose a skill is: a draft, the project's, or a plugin's. */
import type { Skill } from "@fettle/contract/environments";
import { SharingChip } from "../../../kit/list/sharing-chip.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { isPlugins } from "../skill-access.ts";

export function SkillSharing({ skill }: { skill: Skill }) {
  return isPlugins(skill) ? <Chip plain>From a plugin</Chip> : <SharingChip sharing={skill.sharing} />;
}
