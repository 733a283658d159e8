/** @module `/p/:pid/settings/members`: who may work in the project. */
import type { Project } from "@fettle/contract/people";
import { Users } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { AccessTable } from "../../features/access/parts/access-table.tsx";
import { GrantDialog } from "../../features/access/parts/grant-dialog.tsx";
import { useBootstrap } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { WithProject } from "../../pages/with-project.tsx";

export function ProjectMembers() {
  return (
    <PageFrame id="project-members">
      <WithProject>{(open) => <Grants project={open} />}</WithProject>
    </PageFrame>
  );
}

function Grants({ project: { id, organizationId, role, visibility } }: { project: Project }) {
  const { user } = useBootstrap();
  const [granting, setGranting] = usePrimaryAction();
  const mayManage = role === "admin";
  const people = useOperation("listMembers", { organizationId }, { enabled: mayManage }).data?.items ?? [];
  const query = useOperation("listProjectMembers", { projectId: id });
  return (
    <>
      <p className="text-base text-soft">
        {visibility === "public"
          ? "This project is public: every member of the organization works in it. Grants below add to that."
          : "This project is private: besides admins and owners of the organization, only the people below see it."}
      </p>
      <PageList
        id="project-members"
        query={query}
        noun="grants"
        icon={Users}
        textOf={({ name, email }) => `${name} ${email}`}
      >
        {(shown) => <AccessTable projectId={id} selfId={user.id} mayManage={mayManage} members={shown} />}
      </PageList>
      {granting && mayManage && (
        <GrantDialog projectId={id} people={people} onClose={() => setGranting(false)} />
      )}
    </>
  );
}
