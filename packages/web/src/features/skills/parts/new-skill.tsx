/** @module Writes a skill that is not there yet. */
import { useState } from "react";
import { DialogForm, type DialogFormProps } from "../../../kit/form-dialog.tsx";
import { filesOf, newDraft } from "../skill-draft.ts";
import { SkillFields } from "./skill-fields.tsx";

export interface NewSkillProps extends Pick<DialogFormProps, "action" | "onClose"> {
  projectId: string;
  onSave: (files: Record<string, string>) => void;
}

export function NewSkill({ projectId, action, onSave, onClose }: NewSkillProps) {
  const [draft, setDraft] = useState(newDraft);
  return (
    <DialogForm
      label="Skill"
      submit="Save draft"
      action={action}
      onClose={onClose}
      onSubmit={() => onSave(filesOf(draft))}
    >
      <SkillFields projectId={projectId} draft={draft} onChange={setDraft} />
    </DialogForm>
  );
}
