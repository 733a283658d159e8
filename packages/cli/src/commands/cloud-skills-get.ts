/** @module `fettle cloud skills get`: one skill with its text. */
import { inProject } from "../cloud/in-project.ts";
import { pickByIdOrName } from "../cloud/project-selection.ts";
import { outline } from "../output/outline.ts";
import type { Outcome } from "../output/printer.ts";
import type { skillsGetFlags } from "../registry/cloud-skills.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof skillsGetFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId } = await inProject(call);
  const { items } = await client.listProjectSkills({ projectId });
  const { id: skillId } = pickByIdOrName("skill", call.flags.skill, items);
  const found = await client.getProjectSkill({ projectId, skillId });
  return { value: found, human: () => outline(found) };
}
