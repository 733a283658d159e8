/** @module `/p/:pid/skills/:kid/edit`: changes a skill's text and files. */
import type { SkillDetail } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { SharingChip } from "../features/skills/parts/sharing-chip.tsx";
import { SkillEditor } from "../features/skills/parts/skill-editor.tsx";
import { skillDraftQuery } from "../features/skills/queries.ts";
import { writeRefusal } from "../features/skills/skill-access.ts";
import { draftOf } from "../features/skills/skill-draft.ts";
import { Loaded } from "../kit/loaded.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";

export function SkillEdit() {
  const { pid = "", kid = "" } = useOpenPage().parameters;
  const query = useOperation("getProjectSkill", { projectId: pid, skillId: kid });
  return (
    <PageFrame
      id="skill-edit"
      title={query.data ? `Edit ${query.data.name}` : "Edit skill"}
      chip={query.data && <SharingChip skill={query.data} />}
    >
      <Loaded query={query} what="the skill">
        {(skill) => <Editor skill={skill} />}
      </Loaded>
    </PageFrame>
  );
}

function Editor({ skill }: { skill: SkillDetail }) {
  const { project } = usePlace();
  const navigate = useNavigate();
  const { projectId: pid, id: kid } = skill;
  const leave = () => void navigate({ to: pagePath("skill", { pid, kid }) });
  const files = useQuery(skillDraftQuery(pid, kid));
  const save = useChange("updateSkill", ({ name }) => {
    toast(`${name} is saved`);
    leave();
  });
  const refusal = project && writeRefusal(skill, project.role);
  if (refusal) return <Notice kind="warn">{refusal}</Notice>;
  return (
    <>
      {skill.sharing === "project" && (
        <Notice kind="info">
          It is shared: whoever uses it gets the new text from their next run on. Past runs keep what they
          used.
        </Notice>
      )}
      <Loaded query={files} what="the skill's files">
        {({ files: saved }) => (
          <SkillEditor
            projectId={pid}
            start={draftOf(saved)}
            submit="Save skill"
            action={save}
            onSave={(changed) => save.run({ projectId: pid, skillId: kid, body: { files: changed } })}
            onClose={leave}
          />
        )}
      </Loaded>
    </>
  );
}
