/** @module `/p/:pid`: what is in the project, and what to do next. */
import { holdsOrganizationRole, type Project } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { membersQuery } from "../api/queries.ts";
import { serversQuery } from "../api/servers.ts";
import { useBootstrap, usePlace } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { WithProject } from "../app/with-project.tsx";
import { devicesQuery } from "../features/devices/queries.ts";
import { keysQuery } from "../features/keys/queries.ts";
import { FirstStepsList } from "../features/projects/parts/first-steps-list.tsx";
import { ProjectFacts } from "../features/projects/parts/project-facts.tsx";
import { ServerList } from "../features/servers/parts/server-list.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { RowsSkeleton } from "../kit/loading.tsx";
import { Chip } from "../ui/chip.tsx";

export function ProjectHome() {
  const { project } = usePlace();
  return (
    <PageFrame
      id="project-home"
      title={project?.name ?? "Project"}
      about={project?.description}
      chip={
        <>
          {project?.icon === "sample" && (
            <Chip tone="accent" plain title="Made by Fettle to try things on; delete it whenever you like.">
              Sample
            </Chip>
          )}
          {project?.visibility === "private" && (
            <Chip plain>
              <Lock aria-hidden="true" className="-ml-0.5 size-3" /> Private
            </Chip>
          )}
        </>
      }
    >
      <WithProject>
        {(open) => (
          <>
            <FirstSteps project={open} />
            <Servers projectId={open.id} />
            <ProjectFacts project={open} />
          </>
        )}
      </WithProject>
    </PageFrame>
  );
}

function Servers({ projectId }: { projectId: string }) {
  return (
    <div className="stack gap-3">
      <h2 className="font-semibold text-lg">Servers</h2>
      <Loaded
        query={useQuery(serversQuery(projectId))}
        what="the servers"
        skeleton={<RowsSkeleton rows={1} />}
      >
        {({ items }) => <ServerList projectId={projectId} servers={items} />}
      </Loaded>
    </div>
  );
}

function FirstSteps({ project }: { project: Project }) {
  const { organizations } = useBootstrap();
  const role = organizations.find(({ id }) => id === project.organizationId)?.role ?? "guest";
  const enabled = holdsOrganizationRole(role, "member");
  const devices = useQuery(devicesQuery).data;
  const keys = useQuery({ ...keysQuery(project.organizationId), enabled }).data;
  const members = useQuery({ ...membersQuery(project.organizationId), enabled }).data;
  // Shown only once all is known, so that no step jumps from open to done before one's eyes. Guests have none of these to do.
  if (!devices || !keys || !members) return null;
  return (
    <FirstStepsList
      projectId={project.id}
      organizationId={project.organizationId}
      facts={{
        hasCommandLine: devices.items.some((device) => device.kind === "cli"),
        hasKey: keys.items.some((key) => key.revokedAt === null),
        memberCount: members.items.length,
      }}
    />
  );
}
