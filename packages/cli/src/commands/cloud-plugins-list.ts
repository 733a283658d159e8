/** @module `fettle cloud plugins list`: what is installed in a project. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { pluginsListFlags } from "../registry/cloud-plugins.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof pluginsListFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId, scope } = await inProject(call);
  const { items } = await client.listProjectPlugins({ projectId });
  const columns = [
    { header: "ID" },
    { header: "NAME", shrinks: true },
    { header: "ACTIVE VERSION" },
    { header: "ENABLED" },
  ];
  return {
    value: { project: scope.project, items },
    human: ({ width }) =>
      items.length === 0
        ? text`No plugins.`
        : lines([
            table(
              columns,
              items.map(({ id, name, displayName, activeVersionId, enabled }) => [
                id,
                style.bold(displayName ?? name),
                activeVersionId ?? style.dim("none"),
                enabled ? "yes" : style.yellow("no"),
              ]),
              width,
            ),
            text`\n${count(items.length, "plugin")}`,
          ]),
    hint: items.length === 0 ? undefined : style.cyan("fettle cloud plugins version --version-id <id>"),
  };
}
