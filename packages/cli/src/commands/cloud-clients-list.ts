/** @module `fettle cloud clients list`: the clients of a project. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { clientsListFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientsListFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId, scope } = await inProject(call);
  const { items } = await client.listClients({ projectId });
  const columns = [
    { header: "ID" },
    { header: "NAME", shrinks: true },
    { header: "MODEL", shrinks: true },
    { header: "SERVERS", align: "right" as const },
  ];
  return {
    value: { project: scope.project, items, otherProjects: scope.otherProjects },
    human: ({ width }) =>
      items.length === 0
        ? text`No clients.`
        : lines([
            table(
              columns,
              items.map(({ id, name, modelId, serverCount }) => [id, style.bold(name), modelId, serverCount]),
              width,
            ),
            text`\n${count(items.length, "client")}`,
          ]),
    hint:
      items.length === 0
        ? style.cyan("fettle cloud clients create --name <name> --template <id>")
        : style.cyan("fettle cloud clients get --client <id-or-name>"),
  };
}
