/** @module What a project is, at a glance. */
import type { Project } from "@fettle/contract/people";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";

export function ProjectFacts({ project }: { project: Project }) {
  return (
    <Panel title="About this project">
      <Facts>
        <Fact name="Visibility">
          {project.visibility === "public" ? "Public in the organization" : "Private"}
        </Fact>
        <Fact name="Your role">
          <span className="capitalize">{project.role}</span>
        </Fact>
        <Fact name="Created">
          <Time at={project.createdAt} />
        </Fact>
        <Fact name="Updated">
          <Time at={project.updatedAt} />
        </Fact>
        <div className="sm:col-span-2 lg:col-span-4">
          <dt className="text-faint text-sm">Id</dt>
          <dd className="flex items-center gap-1">
            <code className="break-all text-code">{project.id}</code>
            <CopyButton small text={project.id} label="Copy id" />
          </dd>
        </div>
      </Facts>
    </Panel>
  );
}
