/** @module `/p/:pid/skills/:kid`: what the skill says, and whether it can be pinned. */
import type { SkillDetail } from "@fettle/contract/environments";
import { useNavigate } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { PinnabilityView } from "../features/skills/parts/pinnability-view.tsx";
import { SkillActions } from "../features/skills/parts/skill-actions.tsx";
import { SkillSharing } from "../features/skills/parts/skill-sharing.tsx";
import { SkillText } from "../features/skills/parts/skill-text.tsx";
import { writeRefusal } from "../features/skills/skill-access.ts";
import { Blocked } from "../kit/blocked.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { VisibleText } from "../kit/visible-text.tsx";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Fact, Facts } from "../ui/fact.tsx";
import { Panel } from "../ui/panel.tsx";
import { Time } from "../ui/time.tsx";

export function SkillPage() {
  const { pid = "", kid = "" } = useOpenPage().parameters;
  const query = useOperation("getProjectSkill", { projectId: pid, skillId: kid });
  const { project } = usePlace();
  const navigate = useNavigate();
  return (
    <PageFrame
      id="skill"
      title={query.data?.name ?? "Skill"}
      about={query.data && <VisibleText text={query.data.description} />}
      chip={query.data && <SkillSharing skill={query.data} />}
      actions={
        query.data && (
          <>
            <Blocked reason={writeRefusal(query.data, project?.role)}>
              <Button
                icon={<Pencil aria-hidden="true" className="size-4" />}
                onClick={() => void navigate({ to: pagePath("skill-edit", { pid, kid }) })}
              >
                Edit
              </Button>
            </Blocked>
            <SkillActions
              skill={query.data}
              role={project?.role}
              onDeleted={() => void navigate({ to: pagePath("skills", { pid }) })}
            />
          </>
        )
      }
    >
      <Loaded query={query} what="the skill">
        {(skill) => <Contents skill={skill} />}
      </Loaded>
    </PageFrame>
  );
}

function Contents({ skill }: { skill: SkillDetail }) {
  const { projectId: pid, id } = skill;
  const files = useOperation("getSkillFiles", { projectId: pid, skillId: id });
  return (
    <>
      <PinnabilityView pinnability={skill.pinnability} />
      <Loaded query={files} what="the skill's files">
        {({ files }) => <SkillText skill={skill} files={files} />}
      </Loaded>
      <Panel title="About this skill">
        <Facts>
          <Fact name="Created">
            <Time at={skill.createdAt} />
          </Fact>
          <Fact name="Updated">
            <Time at={skill.updatedAt} />
          </Fact>
          <Fact name="Id">
            <span className="flex items-center gap-1">
              <code className="break-all text-code">{id}</code>
              <CopyButton small text={id} label="Copy id" />
            </span>
          </Fact>
          <Fact name="Digest of its files">
            <code title={skill.aggregateHash} className="text-code">
              {skill.aggregateHash.slice(0, 12)}
            </code>
          </Fact>
        </Facts>
      </Panel>
    </>
  );
}
