/** @module `/p/:pid/skills/:kid/edit`: changes a skill's text and files. */
import type { SkillDetail } from "@fettle/contract/environments";
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { SkillEditor } from "../features/skills/parts/skill-editor.tsx";
import { SkillSharing } from "../features/skills/parts/skill-sharing.tsx";
import { writeRefusal } from "../features/skills/skill-access.ts";
import { Loaded } from "../kit/loaded.tsx";
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
      chip={query.data && <SkillSharing skill={query.data} />}
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
  const files = useOperation("getSkillFiles", { projectId: pid, skillId: kid });
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
        {(stored) => (
          <SkillEditor
            skill={skill}
            stored={stored}
            onSaved={() => {
              toast(`${skill.name} is saved`);
              void navigate({ to: pagePath("skill", { pid, kid }) });
            }}
          />
        )}
      </Loaded>
    </>
  );
}
