/** @module A deployment and the project a command acts on, for the many commands that need no more than both. */
import type { ApiClient } from "@fettle/contract/client";
import type { Project } from "@fettle/contract/people";
import { type HostedCall, reachDeployment } from "./reach-deployment.ts";
import { findSelectedProject } from "./selected-project.ts";

export interface InProject {
  client: ApiClient;
  project: Project;
  projectId: string;
  /** What a list says beside its items: where they are from, and where else one could look. */
  scope: { project: Named & { organizationId: string }; otherProjects: Named[] };
}

interface Named {
  id: string;
  name: string;
}

/**
 * @example
 * const { client, projectId } = await inProject(call);
 */
export async function inProject(
  call: HostedCall & { flags: { project: string | undefined } },
): Promise<InProject> {
  const deployment = await reachDeployment(call);
  const { project, others } = await findSelectedProject(call, deployment, { flag: call.flags.project });
  const named = ({ id, name }: Project): Named => ({ id, name });
  return {
    client: deployment.client,
    project,
    projectId: project.id,
    scope: {
      project: { ...named(project), organizationId: project.organizationId },
      otherProjects: others.map(named),
    },
  };
}
