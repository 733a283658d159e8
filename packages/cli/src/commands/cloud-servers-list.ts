/** @module `fettle cloud projects servers list`: the saved servers of a project, without their secrets. */
import { inProject } from "../cloud/in-project.ts";
import { placeOf } from "../cloud/saved-server.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { serversListFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serversListFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId, scope } = await inProject(call);
  const { items } = await client.listProjectServers({ projectId });
  const columns = [
    { header: "ID" },
    { header: "NAME", shrinks: true },
    { header: "TRANSPORT" },
    { header: "URL", shrinks: true },
    { header: "ENABLED" },
  ];
  return {
    value: { project: scope.project, items, otherProjects: scope.otherProjects },
    human: ({ width }) =>
      items.length === 0
        ? text`No servers in ${style.bold(scope.project.name)}.`
        : lines([
            table(
              columns,
              items.map((server) => [
                server.id,
                style.bold(server.name),
                server.transportType,
                server.url === null ? style.dim("through a tunnel") : placeOf(server),
                server.enabled ? "yes" : style.yellow("no"),
              ]),
              width,
            ),
            text`\n${count(items.length, "server")} in ${style.bold(scope.project.name)}`,
          ]),
    hint:
      items.length === 0
        ? style.cyan("fettle cloud projects servers connect --url <address>")
        : style.cyan("fettle cloud projects servers get --server <id-or-name>"),
  };
}
