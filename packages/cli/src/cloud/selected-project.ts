/** @module The project a command acts on: selected by flag, environment or link, and found among those the credential can see. */
import type { Project } from "@fettle/contract/people";
import { findLink } from "./link-file.ts";
import { chooseProject, selectProject } from "./project-selection.ts";
import type { HostedCall, ReachedDeployment } from "./reach-deployment.ts";

export interface SelectedProject {
  project: Project;
  /** How it was chosen, for the audience line and messages. */
  description: string;
  /** The rest of what the credential can see. */
  others: Project[];
}

/**
 * Says who asks whom for which project, then looks it up. A selection that cannot be followed fails before any request.
 *
 * @example
 * const deployment = await reachDeployment(call);
 * const { project } = await findSelectedProject(call, deployment, { flag: call.flags.project });
 */
export async function findSelectedProject(
  call: HostedCall,
  deployment: ReachedDeployment,
  given: { flag: string | undefined; input?: string },
): Promise<SelectedProject> {
  const { env, cwd } = call.world;
  const link = await findLink(cwd);
  const selection = selectProject({ ...given, env: env.FETTLE_PROJECT, link });
  if (selection.source === "unresolved") throw selection.error;
  deployment.announce(`project: ${selection.description}`);
  const { items } = await deployment.client.listProjects();
  const project = chooseProject(selection, items);
  const others = items.filter(({ id }) => id !== project.id);
  return { project, description: selection.description, others };
}
