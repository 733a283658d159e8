/** @module `/p/:pid`: what is in the project, and what to do next. */
import { holdsOrganizationRole } from "@fettle/contract/core";
import type { Project } from "@fettle/contract/people";
import { Lock } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { RunState } from "../features/conformance/parts/run-state.tsx";
import { subjectOf } from "../features/conformance/run-words.ts";
import { RunChip } from "../features/evals/parts/run-chip.tsx";
import { FirstStepsList } from "../features/projects/parts/first-steps-list.tsx";
import { latest, RecentActivity, shownAtMost } from "../features/projects/parts/latest-runs.tsx";
import { ProjectFacts } from "../features/projects/parts/project-facts.tsx";
import { WorkCards } from "../features/projects/parts/work-cards.tsx";
import { ServerList } from "../features/servers/parts/server-list.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { Loading } from "../kit/loading.tsx";
import { useBootstrap, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { WithProject } from "../pages/with-project.tsx";
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
      <WithProject>{(open) => <Contents project={open} />}</WithProject>
    </PageFrame>
  );
}

/** Shown once all of it is known, so that nothing moves under one's eyes and no step jumps from open to done. */
function Contents({ project }: { project: Project }) {
  const pid = project.id;
  const { organizations } = useBootstrap();
  const role = organizations.find(({ id }) => id === project.organizationId)?.role ?? "guest";
  // Guests have none of the first steps to do, and may not read what they are judged by.
  const enabled = holdsOrganizationRole(role, "member");
  const servers = useOperation("listProjectServers", { projectId: project.id });
  const devices = useOperation("listDevices", {}, { enabled });
  const keys = useOperation("listApiKeys", { organizationId: project.organizationId }, { enabled });
  const members = useOperation("listMembers", { organizationId: project.organizationId }, { enabled });
  const checks = useOperation("listConformanceRuns", latest(project.id));
  const evals = useOperation("listEvalRuns", latest(project.id));
  const swarms = useOperation("getSwarmOverview", { projectId: project.id });
  if ([servers, devices, keys, members, checks, evals, swarms].some((query) => query.isLoading))
    return <Loading what="the project" />;
  return (
    <>
      <WorkCards projectId={project.id} servers={servers.data?.items ?? []} />
      <RecentActivity
        key={pid}
        projectId={pid}
        events={[
          ...(checks.data?.items ?? []).map((run) => ({
            to: pagePath("conformance-run", { pid, rid: run.id }),
            at: run.createdAt,
            label: subjectOf(run, servers.data?.items),
            note: "Conformance",
            state: <RunState run={run} />,
          })),
          ...(evals.data?.items ?? []).map((run) => ({
            to: pagePath("eval-run", { pid, erid: run.id }),
            at: run.createdAt,
            label: run.suiteName,
            note: `Eval run ${run.runNumber}`,
            state: <RunChip run={run} />,
          })),
          ...(swarms.data?.runs ?? []).slice(0, shownAtMost).map((run) => ({
            to: pagePath("journey-run", { pid, jrid: run.runId }),
            at: run.createdAt,
            label: `${run.personaName}: ${run.journeyName}`,
            note: "Synthetic visitors",
            state: <Chip plain>{run.status.replace("_", " ")}</Chip>,
          })),
        ]}
      />
      <div className="stack gap-3">
        <h2 className="font-semibold text-lg">Servers</h2>
        <Loaded query={servers} what="the servers">
          {({ items }) => <ServerList projectId={project.id} servers={items} />}
        </Loaded>
      </div>
      {devices.data && keys.data && members.data && (
        <FirstStepsList
          projectId={project.id}
          organizationId={project.organizationId}
          facts={{
            hasCommandLine: devices.data.items.some((device) => device.kind === "cli"),
            hasKey: keys.data.items.some((key) => key.revokedAt === null),
            memberCount: members.data.items.length,
          }}
        />
      )}
      <ProjectFacts project={project} />
    </>
  );
}
