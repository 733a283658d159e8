/** @module The request named no project: choose one, or make one; and say which saved server is meant where several have the address. */
import { textLimits } from "@fettle/contract/core";
import type { Bootstrap } from "@fettle/contract/people";
import type { ConnectionCandidate, ConnectionConsent } from "@fettle/contract/servers";
import { useState } from "react";
import { FailureView } from "../../../kit/failure-view.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { Loading } from "../../../kit/loading.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useLoad } from "../../../kit/use-load.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { chooseNewProject, chooseProject, listProjects } from "../queries.ts";
import { CancelButton } from "./cancel-button.tsx";

export interface ProjectStepProps {
  consent: ConnectionConsent;
  organizations: Bootstrap["organizations"];
  onChanged: () => void;
}

const newProject = "";

export function ProjectStep(props: ProjectStepProps) {
  const bound = props.consent.askedBy.keyOrganization;
  const { data, failure, again } = useLoad((signal) => listProjects(bound?.id, signal));
  if (failure) return <FailureView failure={failure} what="your projects" onRetry={again} />;
  if (!data) {
    return (
      <Loading what="your projects">
        <Skeleton className="h-8" />
      </Loading>
    );
  }
  const organizations = props.organizations.filter(({ id }) => bound === null || id === bound.id);
  return <ProjectForm {...props} organizations={organizations} projects={data} />;
}

type Projects = Awaited<ReturnType<typeof listProjects>>;

function ProjectForm({
  consent,
  organizations,
  projects,
  onChanged,
}: ProjectStepProps & { projects: Projects }) {
  const id = consent.connectionRequestId;
  const [projectId, setProjectId] = useState(projects[0]?.id ?? newProject);
  const [attempt] = useState(() => crypto.randomUUID());
  const choose = useAction(
    (values: FormData) =>
      projectId === newProject
        ? chooseNewProject(
            id,
            { name: said(values, "name"), organizationId: said(values, "organizationId") },
            attempt,
          )
        : chooseProject(id, {
            projectId,
            ...(said(values, "serverId") && { serverId: said(values, "serverId") }),
          }),
    onChanged,
  );
  const candidates = candidatesOf(choose.failure);
  const organizationName = new Map(organizations.map((each) => [each.id, each.name]));
  return (
    <Form label="Choose a project" className="grid gap-4" onSubmit={choose.run}>
      <Field label="Project" name="projectId">
        {(control) => (
          <Select
            {...control}
            value={projectId}
            options={[
              ...projects.map((project) => ({
                value: project.id,
                label:
                  organizationName.size > 1
                    ? `${project.name} (${organizationName.get(project.organizationId) ?? "shared with you"})`
                    : project.name,
              })),
              ...(organizations.length > 0 ? [{ value: newProject, label: "A new project …" }] : []),
            ]}
            onChange={(event) => {
              choose.reset();
              setProjectId(event.target.value);
            }}
          />
        )}
      </Field>
      {projectId === newProject && (
        <>
          <Field label="Name of the new project" name="name">
            {(control) => (
              <Input {...control} required maxLength={textLimits.nameLength} autoComplete="off" />
            )}
          </Field>
          {organizations.length > 1 ? (
            <Field label="Organization" name="organizationId">
              {(control) => (
                <Select
                  {...control}
                  options={organizations.map(({ id: value, name }) => ({ value, label: name }))}
                />
              )}
            </Field>
          ) : (
            <input type="hidden" name="organizationId" value={organizations[0]?.id ?? ""} />
          )}
        </>
      )}
      {candidates.length > 0 ? (
        <Field label="Which saved server is meant" name="serverId" hint="Several have this address.">
          {(control) => (
            <Select
              {...control}
              options={candidates.map(({ id: value, name }) => ({ value, label: name }))}
            />
          )}
        </Field>
      ) : (
        <FormFailure failure={choose.failure} />
      )}
      <div className="grid gap-2 sm:grid-cols-2">
        <CancelButton id={id} onDone={onChanged} />
        <Button type="submit" look="primary" busy={choose.busy}>
          Continue
        </Button>
      </div>
    </Form>
  );
}

function said(values: FormData, name: string): string {
  return String(values.get(name) ?? "").trim();
}

function candidatesOf(
  failure: { details?: Record<string, unknown> | undefined } | null,
): ConnectionCandidate[] {
  const { code, candidates } = failure?.details ?? {};
  // The contract's own shape, under the code that carries it.
  return code === "AMBIGUOUS_SERVER" ? (candidates as ConnectionCandidate[]) : [];
}
