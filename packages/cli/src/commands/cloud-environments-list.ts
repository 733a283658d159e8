/** @module `fettle cloud environments list`: the named ones; ad-hoc ones have no place in a list. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { environmentsListFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentsListFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId, scope } = await inProject(call);
  const query = call.flags.includeArchived ? { includeArchived: "true" } : {};
  const { items } = await client.listEnvironments({ projectId, query });
  const columns = [
    { header: "ID" },
    { header: "NAME", shrinks: true },
    { header: "REVISION", align: "right" as const },
    { header: "STATE" },
  ];
  return {
    value: { project: scope.project, items, otherProjects: scope.otherProjects },
    human: ({ width }) =>
      items.length === 0
        ? text`No environments.`
        : lines([
            table(
              columns,
              items.map(({ id, name, revision, archived }) => [
                id,
                style.bold(name),
                revision,
                archived ? style.dim("archived") : "live",
              ]),
              width,
            ),
            text`\n${count(items.length, "environment")}`,
          ]),
  };
}
