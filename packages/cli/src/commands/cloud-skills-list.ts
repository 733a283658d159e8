/** @module `fettle cloud skills list`: shared skills and the caller's own drafts. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { skillsListFlags } from "../registry/cloud-skills.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof skillsListFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId, scope } = await inProject(call);
  const { items } = await client.listProjectSkills({ projectId });
  const columns = [
    { header: "ID" },
    { header: "NAME" },
    { header: "SHARING" },
    { header: "PINNABLE", shrinks: true },
  ];
  return {
    value: { project: scope.project, items },
    human: ({ width }) =>
      items.length === 0
        ? text`No skills.`
        : lines([
            table(
              columns,
              items.map(({ id, name, sharing, pinnability }) => [
                id,
                style.bold(name),
                sharing,
                pinnability.ok ? style.green("yes") : pinnability.reason,
              ]),
              width,
            ),
            text`\n${count(items.length, "skill")}`,
          ]),
  };
}
