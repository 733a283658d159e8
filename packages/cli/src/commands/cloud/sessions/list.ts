/** @module `fettle cloud sessions list`: one's own conversations, of one project or of all. */
import { usageError } from "../../../cli-error.ts";
import { inProject } from "../../../cloud/in-project.ts";
import { reachDeployment } from "../../../cloud/reach-deployment.ts";
import type { Outcome } from "../../../output/printer.ts";
import { count, table } from "../../../output/table.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { sessionListFlags } from "./sessions-flags.ts";

export async function run(call: Call<typeof sessionListFlags, NoArguments>): Promise<Outcome> {
  const { allProjects, status, limit, before, project: wanted } = call.flags;
  if (allProjects && wanted !== undefined) {
    throw usageError("--project names one project, --all-projects means every one; give one of them.");
  }
  const { client, projectId, scope } = allProjects ? await everywhere(call) : await inProject(call);
  const query = { projectId, status, limit, before };
  const { items, nextCursor } = await client.listChatSessions({ query });
  return {
    value: { ...(scope && { project: scope.project }), items, ...(nextCursor && { nextCursor }) },
    human: ({ width }) =>
      lines([
        items.length === 0
          ? text`No conversations yet.`
          : table(
              [
                { header: "ID" },
                { header: "TITLE", shrinks: true },
                { header: "MODEL" },
                { header: "MESSAGES", align: "right" },
                { header: "LAST" },
                { header: "TURN" },
              ],
              items.map(({ id, title, modelId, messageCount, lastActivityAt, turnState }) => [
                style.bold(id),
                title ?? "-",
                modelId,
                messageCount,
                new Date(lastActivityAt).toISOString(),
                turnState ?? "-",
              ]),
              width,
            ),
        style.dim(
          `${count(items.length, "conversation")}${nextCursor ? `, more with --before ${nextCursor}` : ""}`,
        ),
      ]),
    hint: items[0] && `fettle cloud sessions show --session ${items[0].id}`,
  };
}

async function everywhere(call: Call<typeof sessionListFlags, NoArguments>) {
  const { client, announce } = await reachDeployment(call);
  announce("conversations of every project");
  return { client, projectId: undefined, scope: undefined };
}
