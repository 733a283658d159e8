/** @module `fettle cloud environments ensure-adhoc`: the environment of exactly this stack. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { environmentsEnsureFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentsEnsureFlags, NoArguments>): Promise<Outcome> {
  const { host, serverGroup, model, skill } = call.flags;
  const { client, projectId, scope } = await inProject(call);
  const { id: hostId } = await client.getClient({ projectId, client: host });
  const { environment, created } = await client.ensureAdhocEnvironment({
    projectId,
    body: {
      hostId,
      serverAttachmentId: serverGroup,
      modelId: model,
      ...(skill.length > 0 && { skillSelection: { mode: "explicit", skillIds: skill } }),
    },
  });
  return {
    value: { project: scope.project, environment, created },
    human: () => text`${style.green("✓")} ${created ? "Made" : "Found"} ${style.bold(environment.id)}`,
    hint: style.cyan(`fettle cloud environments resolve --environment ${environment.id}`),
  };
}
