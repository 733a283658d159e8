/** @module `fettle cloud link`: pins a worktree or folder to a project, or unpins it. */
import { relative } from "node:path";
import { usageError } from "../../cli-error.ts";
import { findLink, linkFolder, linkPath, readLink, removeLink, writeLink } from "../../cloud/link-file.ts";
import { chooseProject, selectProject } from "../../cloud/project-selection.ts";
import { reachDeployment } from "../../cloud/reach-deployment.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import type { linkArguments, linkFlags } from "./flags.ts";

type LinkCall = Call<typeof linkFlags, typeof linkArguments>;

export async function run(call: LinkCall): Promise<Outcome> {
  return call.flags.remove ? unlink(call) : link(call);
}

async function link(call: LinkCall): Promise<Outcome> {
  const { cwd, env } = call.world;
  // The link there is does not choose its own successor.
  const selection = selectProject({ flag: call.arguments.project, env: env.FETTLE_PROJECT, link: undefined });
  if (selection.source === "unresolved") throw selection.error;
  const { client, apiUrl } = await reachDeployment(call);
  const { items } = await client.listProjects();
  const { id, name, organizationId } = chooseProject(selection, items);
  const path = linkPath(call.flags.here ? cwd : await linkFolder(cwd));
  await writeLink(path, { version: 1, project: { id, name }, organizationId, apiUrl });
  return {
    value: { status: "linked", path, project: { id, name }, apiUrl },
    human: () =>
      lines([
        text`${style.green("✓")} Linked to ${style.bold(name)} ${style.dim(`(${id})`)}`,
        text`  ${style.dim("in")} ${relative(cwd, path)}${style.dim("; it holds no secret and may be committed")}`,
      ]),
    hint: style.cyan("fettle cloud status"),
  };
}

async function unlink(call: LinkCall): Promise<Outcome> {
  if (call.arguments.project !== undefined) throw usageError("--remove takes no project.");
  const { cwd } = call.world;
  const found = call.flags.here ? await readLink(linkPath(cwd)) : await findLink(cwd);
  if (!found) throw usageError("There is no project link to remove.");
  await removeLink(found.path);
  return {
    value: { status: "removed", path: found.path },
    human: () => text`${style.green("✓")} Removed ${relative(cwd, found.path)}`,
  };
}
