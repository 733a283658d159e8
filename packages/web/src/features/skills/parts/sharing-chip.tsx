/** @module Whose a skill is: a draft, the project's, or a plugin's. */
import type { Skill } from "@fettle/contract";
import { Chip } from "../../../ui/chip.tsx";
import { isPlugins } from "../skill-access.ts";

export function SharingChip({ skill }: { skill: Skill }) {
  if (isPlugins(skill)) return <Chip plain>From a plugin</Chip>;
  if (skill.sharing === "project") {
    return (
      <Chip tone="accent" plain>
        Shared
      </Chip>
    );
  }
  return (
    <Chip plain title="Only you see it.">
      Your draft
    </Chip>
  );
}
