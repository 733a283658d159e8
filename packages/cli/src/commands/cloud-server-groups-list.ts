/** @module `fettle cloud server-groups list`: the frozen sets of a project. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { serverGroupsListFlags } from "../registry/cloud-server-groups.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serverGroupsListFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId, scope } = await inProject(call);
  const { items } = await client.listServerGroups({ projectId });
  const columns = [{ header: "ID" }, { header: "NAME", shrinks: true }, { header: "SERVERS", shrinks: true }];
  return {
    value: { project: scope.project, items },
    human: ({ width }) =>
      items.length === 0
        ? text`No server groups.`
        : lines([
            table(
              columns,
              items.map(({ id, name, serverNames }) => [id, style.bold(name), serverNames.join(", ")]),
              width,
            ),
            text`\n${count(items.length, "server group")}`,
          ]),
    hint:
      items.length === 0
        ? style.cyan("fettle cloud server-groups create --name <name> --server <id-or-name>")
        : style.cyan("fettle cloud environments ensure-adhoc --host <client> --server-group <id>"),
  };
}
