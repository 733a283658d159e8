/** @module What can be done with a skill: share, take back, delete. */
import type { Skill } from "@fettle/contract/environments";
import type { Project } from "@fettle/contract/people";
import { Share2, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { toast } from "../../../ui/toast.tsx";
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
  const address = { projectId: skill.projectId, skillId: skill.id };
  const close = () => setAsking(null);
  const done = (said: string) => () => {
    toast(`${skill.name} ${said}`);
    close();
  };
  const share = useChange("shareSkill", done("is shared with the project"));
  const unshare = useChange("unshareSkill", done("is a draft again"));
  const remove = useChange("deleteSkill", () => {
    done("is deleted")();
    onDeleted?.();
  });
  const isShared = skill.sharing === "project";
  return (
    <>
      <RowMenu
        name={skill.name}
        actions={[
          isShared
            ? { label: "Stop sharing", icon: Undo2, blocked, onSelect: () => setAsking("unshare") }
            : { label: "Share with the project", icon: Share2, blocked, onSelect: () => setAsking("share") },
          { label: "Delete", icon: Trash2, danger: true, blocked, onSelect: () => setAsking("delete") },
        ]}
      />
      {asking === "share" && (
        <ConfirmDialog
          title={`Share ${skill.name}?`}
          confirm="Share"
          look="primary"
          action={share}
          onClose={close}
          onConfirm={() => share.run(address)}
        >
          <p>Everyone in the project sees it, and environments may pin it.</p>
        </ConfirmDialog>
      )}
      {asking === "unshare" && (
        <ConfirmDialog
          title={`Stop sharing ${skill.name}?`}
          confirm="Stop sharing"
          action={unshare}
          onClose={close}
          onConfirm={() => unshare.run(address)}
        >
          <p>
            Only {skill.isOwner ? "you" : "its owner"} will see it. Environments that pin it cannot run until
            they pin something else or it is shared again.
          </p>
        </ConfirmDialog>
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title={`Delete ${skill.name}?`}
          typed={{ label: "Name of the skill", text: skill.name }}
          confirm="Delete skill"
          action={remove}
          onClose={close}
          onConfirm={() => remove.run(address)}
        >
          <p>
            Its text and files are gone for good.
            {isShared && " Environments that pin it cannot run until they pin something else."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
