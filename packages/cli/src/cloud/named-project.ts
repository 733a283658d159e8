/** @module The project a write goes to: named by flag, environment or link, never guessed. */
import { usageError } from "../cli-error.ts";
import { type InProject, inProject } from "./in-project.ts";
import { findLink } from "./link-file.ts";
import { selectProject } from "./project-selection.ts";
import type { HostedCall } from "./reach-deployment.ts";

/**
 * @example
 * const { client, projectId } = await inNamedProject(call);
 */
export async function inNamedProject(
  call: HostedCall & { flags: { project: string | undefined } },
): Promise<InProject> {
  if (!(await isProjectNamed(call))) {
    throw usageError("Say which project: --project, FETTLE_PROJECT, or a link.", {
      hint: "`fettle cloud projects list` shows them; `fettle cloud link` and one of their ids remembers it for this folder.",
    });
  }
  return inProject(call);
}

/** Whether anything but age would choose the project. */
export async function isProjectNamed(
  call: HostedCall & { flags: { project: string | undefined } },
): Promise<boolean> {
  const { env, cwd } = call.world;
  const link = await findLink(cwd);
  return selectProject({ flag: call.flags.project, env: env.FETTLE_PROJECT, link }).source !== "automatic";
}
