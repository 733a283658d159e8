/** @module `fettle cloud projects list`: the projects the credential can see, in all organizations or one. */
import { connectCloud } from "../cloud/connection.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { projectsListFlags } from "../registry/cloud.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof projectsListFlags, NoArguments>): Promise<Outcome> {
  const { org } = call.flags;
  const { client, announce } = await connectCloud(call);
  announce(org ? `organization ${org}` : "all projects");
  const answer = await client.listProjects({ query: { organizationId: org } });
  const columns = [{ header: "ID" }, { header: "NAME", shrinks: true }, { header: "UPDATED" }];
  return {
    value: answer,
    human: ({ width }) =>
      answer.items.length === 0
        ? text`No projects.`
        : lines([
            table(
              columns,
              answer.items.map(({ id, name, updatedAt }) => [
                id,
                style.bold(name),
                new Date(updatedAt).toISOString(),
              ]),
              width,
            ),
            text`\n${count(answer.items.length, "project")}${answer.nextCursor ? ", and more" : ""}`,
          ]),
    hint: answer.items.length === 0 ? undefined : style.cyan("fettle cloud link <id-or-name>"),
  };
}
