/** @module `/p/:pid/skills`: drafts, what the project shares, and what plugins brought. */
import { useNavigate } from "@tanstack/react-router";
import { BookText } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { NewSkill } from "../features/skills/parts/new-skill.tsx";
import { SkillTable } from "../features/skills/parts/skill-table.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("skills");

export function Skills() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useOperation("listProjectSkills", { projectId: pid });
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  const create = useChange("createSkill", (skill) => {
    toast(`${skill.name} is saved as your draft`);
    void navigate({ to: pagePath("skill", { pid, kid: skill.id }) });
  });
  return (
    <PageFrame id="skills" about={page.about}>
      <PageList
        id="skills"
        query={query}
        noun="skills"
        icon={BookText}
        textOf={({ name, description }) => `${name} ${description}`}
      >
        {(shown) => <SkillTable skills={shown} role={project?.role} />}
      </PageList>
      {creating && (
        <Dialog
          wide
          open
          onClose={() => setCreating(false)}
          title="New skill"
          description="It is your draft, which nobody else sees, until you share it with the project."
        >
          <NewSkill
            projectId={pid}
            action={create}
            onSave={(files) => create.run({ projectId: pid, body: { files } })}
            onClose={() => setCreating(false)}
          />
        </Dialog>
      )}
    </PageFrame>
  );
}
