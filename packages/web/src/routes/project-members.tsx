/** @module `/p/:pid/settings/members`: who may work in the project. */
import type { Project } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { membersQuery } from "../api/queries.ts";
import { useBootstrap } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById } from "../app/pages.ts";
import { usePrimaryAction } from "../app/use-search.ts";
import { WithProject } from "../app/with-project.tsx";
import { AccessTable } from "../features/access/parts/access-table.tsx";
import { GrantDialog } from "../features/access/parts/grant-dialog.tsx";
import { projectMembersQuery } from "../features/access/queries.ts";
import { Loaded } from "../kit/loaded.tsx";
import { StateView } from "../kit/state-view.tsx";

const page = pageById("project-members");

export function ProjectMembers() {
  return (
    <PageFrame id="project-members">
      <WithProject>{(open) => <Grants project={open} />}</WithProject>
    </PageFrame>
  );
}

function Grants({ project }: { project: Project }) {
  const { user } = useBootstrap();
  const [granting, setGranting] = usePrimaryAction();
  const mayManage = project.role === "admin";
  const people = useQuery({ ...membersQuery(project.organizationId), enabled: mayManage }).data?.items ?? [];
  return (
    <>
      <p className="text-base text-soft">
        {project.visibility === "public"
          ? "This project is public: every member of the organization works in it. Grants below add to that."
          : "This project is private: besides admins and owners of the organization, only the people below see it."}
      </p>
      <Loaded query={useQuery(projectMembersQuery(project.id))} what="the grants">
        {({ items }) =>
          items.length === 0 ? (
            <StateView
              state="empty"
              icon={<Users aria-hidden="true" className="size-5" />}
              title={page.empty!.title}
            >
              {page.empty!.text}
            </StateView>
          ) : (
            <AccessTable projectId={project.id} selfId={user.id} mayManage={mayManage} members={items} />
          )
        }
      </Loaded>
      <GrantDialog
        open={granting && mayManage}
        projectId={project.id}
        people={people}
        onClose={() => setGranting(false)}
      />
    </>
  );
}
