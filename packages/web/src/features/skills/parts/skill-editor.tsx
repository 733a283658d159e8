/** @module Changes a skill. Two who change it at once choose file by file, as with everything that is shared. */
import type { Skill, SkillFiles } from "@fettle/contract/environments";
import { failureOf } from "../../../api/failure.ts";
import { change, operationOptions, queryClient } from "../../../api/operation.ts";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import type { Fields } from "../../../kit/conflict/three-way.ts";
import { fromBase64, textOf } from "../../../lib/base64.ts";
import { base64Size, sizeText } from "../../../lib/bytes.ts";
import { draftOf, filesOf, type SkillDraft } from "../skill-draft.ts";
import { SkillFields } from "./skill-fields.tsx";

interface SkillEdit extends SkillDraft {
  base: SkillFiles;
}

export interface SkillEditorProps {
  skill: Skill;
  stored: SkillFiles;
  onSaved: () => void;
}

export function SkillEditor({ skill, stored, onSaved }: SkillEditorProps) {
  const address = { projectId: skill.projectId, skillId: skill.id };
  const editing = useEditing({
    key: `skill:${skill.id}`,
    keeps: true,
    stored,
    start: (base): SkillEdit => ({ base, ...draftOf(base.files) }),
    isChanged: (draft) => JSON.stringify(draftOf(draft.base.files)) !== JSON.stringify(textsOf(draft)),
    isOutdated: ({ base }, now) => now.updatedAt !== base.updatedAt,
    faultOf: () => undefined,
    save: async (draft) => {
      const { base } = draft;
      const body = { files: filesOf(draft), expectedUpdatedAt: base.updatedAt };
      try {
        await change("updateSkill", { ...address, body });
        return { kind: "saved", stored: base };
      } catch (error) {
        if (failureOf(error).details?.code !== "SKILL_CHANGED") throw error;
        const read = operationOptions("getSkillFiles", address);
        return { kind: "conflict", stored: await queryClient.fetchQuery({ ...read, staleTime: 0 }) };
      }
    },
    onEnd: ({ kind }) => kind === "saved" && onSaved(),
  });
  const { draft } = editing;
  return (
    <DraftEditor
      editing={editing}
      what="the skill"
      title="Text and files"
      conflict={{
        fieldsOf: ({ files }) => files,
        mine: filesOf(draft),
        current: () => "another text",
        show: (_, value) => <FileText content={value} />,
        settle: (base, fields: Fields) => ({ base, ...draftOf(contentsOf(fields)) }),
      }}
    >
      <SkillFields
        projectId={skill.projectId}
        draft={draft}
        onChange={(next) => editing.edit({ ...draft, ...next })}
      />
    </DraftEditor>
  );
}

const textsOf = ({ source, files }: SkillDraft): SkillDraft => ({ source, files });

/** Every field of a skill is a file. */
const contentsOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([path, content]) => [path, String(content)]));

function FileText({ content }: { content: Fields[string] }) {
  if (typeof content !== "string") return <span className="text-faint">Not there</span>;
  const text = textOf(fromBase64(content));
  if (text === undefined) return <span className="text-faint">{sizeText(base64Size(content))}, no text</span>;
  return (
    <pre className="max-h-64 overflow-y-auto whitespace-pre-wrap break-words text-code">
      {text || "Empty"}
    </pre>
  );
}
