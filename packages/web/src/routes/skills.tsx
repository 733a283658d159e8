/** @module `/p/:pid/skills`: drafts, what the project shares, and what plugins brought. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BookText } from "lucide-react";
import { useOpenPage, usePlace } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { SkillEditor } from "../features/skills/parts/skill-editor.tsx";
import { SkillTable } from "../features/skills/parts/skill-table.tsx";
import { createSkill, skillsQuery } from "../features/skills/queries.ts";
import { newDraft } from "../features/skills/skill-draft.ts";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("skills");

export function Skills() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const [filter, setFilter] = useSearchText("q");
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  return (
    <PageFrame id="skills" about={page.about}>
      <Loaded query={useQuery(skillsQuery(pid))} what="the skills">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                state="empty"
                icon={<BookText aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={<Button onClick={() => setCreating(true)}>{page.action!.label}</Button>}
              >
                {page.empty!.text}
              </StateView>
            );
          }
          const shown = items.filter(({ name, description }) =>
            `${name} ${description}`.toLowerCase().includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <FilterInput label="Filter skills" value={filter} onChange={setFilter} />
              {shown.length > 0 ? (
                <SkillTable skills={shown} role={project?.role} />
              ) : (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              )}
            </div>
          );
        }}
      </Loaded>
      <Dialog
        wide
        open={creating}
        onClose={() => setCreating(false)}
        title="New skill"
        description="It is your draft, which nobody else sees, until you share it with the project."
      >
        <SkillEditor
          projectId={pid}
          start={newDraft}
          submit="Save draft"
          onSave={(files) => createSkill(pid, files)}
          onSaved={(skill) => {
            toast(`${skill.name} is saved as your draft`);
            void navigate({ to: pagePath("skill", { pid, kid: skill.id }) });
          }}
          cancel={<Button onClick={() => setCreating(false)}>Cancel</Button>}
        />
      </Dialog>
    </PageFrame>
  );
}
