/** @module What was settled for a conversation, and what can be done with it. */
import type { ChatSessionDetail } from "@fettle/contract/visitors";
import { Archive, ArchiveRestore, FlaskConical, Pencil, Pin, PinOff, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { toast } from "../../../ui/toast.tsx";
import { updateSession } from "../queries.ts";
import { rulesModel } from "../start.ts";
import { DeleteSessionDialog, RenameSessionDialog } from "./session-dialogs.tsx";

export interface SessionBarProps {
  session: ChatSessionDetail;
  isPinned: boolean;
  onMakeCase: () => void;
  onDeleted: () => void;
}

export function SessionBar({ session, isPinned, onMakeCase, onDeleted }: SessionBarProps) {
  const { projectId, sessionId, title, status, visibility, ownedByViewer } = session;
  const [open, setOpen] = useState<"rename" | "delete">();
  const update = useAction(
    (change: Parameters<typeof updateSession>[1], _said: string) =>
      updateSession({ projectId, sessionId }, change),
    () => toast("Saved"),
  );
  const isShared = visibility === "project";
  const isArchived = status === "archived";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Settled session={session} />
      <span className="ml-auto flex items-center gap-1">
        <Button icon={<FlaskConical aria-hidden="true" className="size-4" />} onClick={onMakeCase}>
          Make an eval case
        </Button>
        {ownedByViewer && (
          <RowMenu
            name={title ?? "this conversation"}
            actions={[
              { label: "Rename", icon: Pencil, onSelect: () => setOpen("rename") },
              {
                label: isPinned ? "Unpin" : "Pin",
                icon: isPinned ? PinOff : Pin,
                onSelect: () => update.run({ isPinned: !isPinned }, "pin"),
              },
              {
                label: isShared ? "Make it private" : "Share with the project",
                icon: Users,
                onSelect: () => update.run({ visibility: isShared ? "private" : "project" }, "share"),
              },
              {
                label: isArchived ? "Take out of the archive" : "Archive",
                icon: isArchived ? ArchiveRestore : Archive,
                onSelect: () => update.run({ status: isArchived ? "active" : "archived" }, "archive"),
              },
              { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpen("delete") },
            ]}
          />
        )}
      </span>
      {open === "rename" && <RenameSessionDialog session={session} onClose={() => setOpen(undefined)} />}
      {open === "delete" && (
        <DeleteSessionDialog session={session} onClose={() => setOpen(undefined)} onDeleted={onDeleted} />
      )}
    </div>
  );
}

function Settled({ session }: { session: ChatSessionDetail }) {
  const { modelId, servers, toolMode, environmentId, systemPrompt, temperature, visibility, status } =
    session;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5">
      <Chip plain title={modelId === rulesModel ? "Fixed rules, not a language model" : modelId}>
        {modelId}
      </Chip>
      {servers.map(({ id, name }) => (
        <Chip key={id} plain>
          {name}
        </Chip>
      ))}
      {environmentId && <Chip plain>from an environment</Chip>}
      <Chip plain title="A policy, not a guarantee: each server says so of its own tools">
        {toolMode === "read_only" ? "read-only tools, by policy" : "all tools"}
      </Chip>
      {systemPrompt && (
        <Chip plain title={systemPrompt}>
          system prompt
        </Chip>
      )}
      {temperature !== null && <Chip plain>temperature {temperature}</Chip>}
      {visibility === "project" && <Chip tone="info">Shared</Chip>}
      {status === "archived" && <Chip>Archived</Chip>}
    </span>
  );
}
