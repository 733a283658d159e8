/** @module Deletes a project for good. */
import type { Project } from "@fettle/contract";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { deleteProject } from "../queries.ts";

export function DeleteProject({ project, onDeleted }: { project: Project; onDeleted: () => void }) {
  const [open, setOpen] = useState(false);
  const remove = useAction(() => deleteProject(project.id), onDeleted);
  const offline = useWriteBlock();
  const reason = project.role === "admin" ? offline : "Only project admins can delete the project.";
  return (
    <Panel title="Delete this project" tone="bad">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-lg text-base text-soft">
          Its servers, clients, environments, runs and grants go with it, at once and for good. API keys stay:
          they belong to the organization.
        </p>
        <Blocked reason={reason}>
          <Button look="danger" onClick={() => setOpen(true)}>
            Delete project
          </Button>
        </Blocked>
      </div>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Delete ${project.name}?`}
        typed={{ label: "Project name", text: project.name }}
        confirm="Delete for good"
        action={remove}
      >
        <p>Everything in it is lost. This cannot be undone.</p>
      </ConfirmDialog>
    </Panel>
  );
}
