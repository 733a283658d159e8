/** @module Where a skill is written: its SKILL.md, checked while it is typed, and the files beside it. */
import type { FileMap } from "@fettle/contract/environments";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useMemo } from "react";
import { operationOptions } from "../../../api/operation.ts";
import { BundlePicker } from "../../../kit/bundle-picker.tsx";
import { useSettled } from "../../../kit/use-settled.ts";
import { base64Size, sizeText } from "../../../lib/bytes.ts";
import { Field } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { outlineOf, type SkillDraft, withPicked } from "../skill-draft.ts";
import { SkillCheckView } from "./skill-check-view.tsx";

export interface SkillFieldsProps {
  projectId: string;
  draft: SkillDraft;
  onChange: (draft: SkillDraft) => void;
}

export function SkillFields({ projectId, draft, onChange }: SkillFieldsProps) {
  const { source, files } = draft;
  const outline = useSettled(useMemo(() => outlineOf({ source, files }), [source, files]));
  const check = useQuery({
    ...operationOptions("checkSkill", { projectId, body: { files: outline } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
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
            value={source}
            className="max-h-[60vh] min-h-48 font-mono text-code"
            onChange={(event) => onChange({ source: event.target.value, files })}
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
          onPicked={(picked) => onChange(withPicked({ source, files }, picked))}
        />
        {Object.keys(files).length > 0 && (
          <SupportingFiles files={files} onChange={(kept) => onChange({ source, files: kept })} />
        )}
      </div>
    </>
  );
}

function SupportingFiles({ files, onChange }: { files: FileMap; onChange: (files: FileMap) => void }) {
  return (
    <ul
      aria-label="Supporting files"
      className="grid divide-y divide-line rounded-control border border-line text-sm"
    >
      {Object.entries(files).map(([path, content]) => (
        <li key={path} className="flex items-center gap-2 py-0.5 pr-1 pl-3">
          <code className="min-w-0 flex-1 break-all">{path}</code>
          <span className="text-faint tabular-nums">{sizeText(base64Size(content))}</span>
          <IconButton
            label={`Remove ${path}`}
            onClick={() => {
              const { [path]: _, ...kept } = files;
              onChange(kept);
            }}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
