/** @module What can be done with a skill: share, take back, delete. */
import type { Project, Skill } from "@fettle/contract";
import { MoreHorizontal, Share2, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deleteSkill, setShared } from "../queries.ts";
import { writeRefusal } from "../skill-access.ts";

export interface SkillActionsProps {
  skill: Skill;
  role: Project["role"] | undefined;
  onDeleted?: () => void;
}

export function SkillActions({ skill, role, onDeleted }: SkillActionsProps) {
  const [asking, setAsking] = useState<"delete" | "unshare" | "share" | null>(null);
  const offline = useWriteBlock();
  const blocked = writeRefusal(skill, role) ?? offline;
  const done = (said: string) => {
    toast(said);
    setAsking(null);
  };
  const share = useAction(
    (shared: boolean) => setShared(skill.projectId, skill.id, shared),
    ({ sharing }) =>
      done(
        sharing === "project" ? `${skill.name} is shared with the project` : `${skill.name} is a draft again`,
      ),
  );
  const remove = useAction(
    () => deleteSkill(skill.projectId, skill.id),
    () => {
      done(`${skill.name} is deleted`);
      onDeleted?.();
    },
  );
  const isShared = skill.sharing === "project";
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${skill.name}`}>
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {isShared ? (
          <MenuItem
            icon={<Undo2 aria-hidden="true" className="size-4" />}
            blocked={blocked}
            onSelect={() => setAsking("unshare")}
          >
            Stop sharing
          </MenuItem>
        ) : (
          <MenuItem
            icon={<Share2 aria-hidden="true" className="size-4" />}
            blocked={blocked}
            onSelect={() => setAsking("share")}
          >
            Share with the project
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          blocked={blocked}
          onSelect={() => setAsking("delete")}
        >
          Delete
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={asking === "share"}
        onClose={() => setAsking(null)}
        title={`Share ${skill.name}?`}
        confirm="Share"
        look="primary"
        action={{ ...share, run: () => share.run(true) }}
      >
        <p>Everyone in the project sees it, and environments may pin it.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "unshare"}
        onClose={() => setAsking(null)}
        title={`Stop sharing ${skill.name}?`}
        confirm="Stop sharing"
        action={{ ...share, run: () => share.run(false) }}
      >
        <p>
          Only {skill.isOwner ? "you" : "its owner"} will see it. Environments that pin it cannot run until
          they pin something else or it is shared again.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "delete"}
        onClose={() => setAsking(null)}
        title={`Delete ${skill.name}?`}
        typed={{ label: "Name of the skill", text: skill.name }}
        confirm="Delete skill"
        action={remove}
      >
        <p>
          Its text and files are gone for good.
          {isShared && " Environments that pin it cannot run until they pin something else."}
        </p>
      </ConfirmDialog>
    </>
  );
}
