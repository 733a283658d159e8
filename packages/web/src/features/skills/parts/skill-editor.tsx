/** @module Writes a skill: its SKILL.md, checked while it is typed, and the files beside it. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { operationOptions } from "../../../api/operation.ts";
import { BundlePicker } from "../../../kit/bundle-picker.tsx";
import { DialogForm, type DialogFormProps } from "../../../kit/form-dialog.tsx";
import { useSettled } from "../../../kit/use-settled.ts";
import type { Bundle } from "../../../lib/bundle.ts";
import { sizeText } from "../../../lib/bytes.ts";
import { Field } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { filesOf, outlineOf, type SkillDraft, withPicked } from "../skill-draft.ts";
import { SkillCheckView } from "./skill-check-view.tsx";

export interface SkillEditorProps {
  projectId: string;
  start: SkillDraft;
  submit: string;
  action: DialogFormProps["action"];
  onSave: (files: Record<string, string>) => void;
  onClose: () => void;
}

export function SkillEditor({ projectId, start, submit, action, onSave, onClose }: SkillEditorProps) {
  const [draft, setDraft] = useState(start);
  const outline = useSettled(useMemo(() => outlineOf(draft), [draft]));
  const check = useQuery({
    ...operationOptions("checkSkill", { projectId, body: { files: outline } }),
    placeholderData: keepPreviousData,
  });
  const setFiles = (files: Bundle) => setDraft({ ...draft, files });
  return (
    <DialogForm
      label="Skill"
      submit={submit}
      action={action}
      onClose={onClose}
      onSubmit={() => onSave(filesOf(draft))}
    >
      <Field
        label="SKILL.md"
        name="source"
        hint="Front matter with a name and a description between two lines of ---, then instructions in Markdown."
      >
        {(control) => (
          <Textarea
            {...control}
            required
            rows={12}
            spellCheck={false}
            value={draft.source}
            className="max-h-[60vh] min-h-48 font-mono text-code"
            onChange={(event) => setDraft({ ...draft, source: event.target.value })}
          />
        )}
      </Field>
      <SkillCheckView check={check.data} />
      <div className="stack gap-2">
        <p className="font-medium text-sm">
          Files <span className="font-normal text-faint">optional</span>
        </p>
        <BundlePicker
          label="Add files"
          hint="A SKILL.md or a whole skill (folder or zip) replaces what is above; other files are laid beside it. Nothing in them is ever run."
          accept=".md,.zip,.skill,.txt,.json,.yaml,.yml,.csv,.py,.js,.ts,.sh"
          onPicked={(picked) => setDraft(withPicked(draft, picked))}
        />
        {draft.files.size > 0 && <SupportingFiles files={draft.files} onChange={setFiles} />}
      </div>
    </DialogForm>
  );
}

function SupportingFiles({ files, onChange }: { files: Bundle; onChange: (files: Bundle) => void }) {
  return (
    <ul
      aria-label="Supporting files"
      className="grid divide-y divide-line rounded-control border border-line text-sm"
    >
      {[...files].map(([path, bytes]) => (
        <li key={path} className="flex items-center gap-2 py-0.5 pr-1 pl-3">
          <code className="min-w-0 flex-1 break-all">{path}</code>
          <span className="text-faint tabular-nums">{sizeText(bytes.length)}</span>
          <IconButton
            label={`Remove ${path}`}
            onClick={() => onChange(new Map([...files].filter(([each]) => each !== path)))}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
