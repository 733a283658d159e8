/** @module Deletes a project for good. */
import type { Project } from "@fettle/contract/people";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";

export function DeleteProject({ project, onDeleted }: { project: Project; onDeleted: () => void }) {
  const [open, setOpen] = useState(false);
  const remove = useChange("deleteProject", onDeleted);
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
      {open && (
        <ConfirmDialog
          title={`Delete ${project.name}?`}
          typed={{ label: "Project name", text: project.name }}
          confirm="Delete for good"
          action={remove}
          onClose={() => setOpen(false)}
          onConfirm={() => remove.run({ projectId: project.id })}
        >
          <p>Everything in it is lost. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
