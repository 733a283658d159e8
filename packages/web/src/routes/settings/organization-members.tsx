/** @module `/o/:org/settings/members`: members, invitations, roles. */
import { holdsOrganizationRole } from "@fettle/contract/core";
import { Users } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { InvitationTable } from "../../features/members/parts/invitation-table.tsx";
import { InviteDialog } from "../../features/members/parts/invite-dialog.tsx";
import { MemberTable } from "../../features/members/parts/member-table.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useBootstrap, usePlace } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { WithOrganization } from "../../pages/with-organization.tsx";

export function OrganizationMembers() {
  const { user } = useBootstrap();
  const { organization } = usePlace();
  const [inviting, setInviting] = usePrimaryAction();
  const isAdmin = organization !== undefined && holdsOrganizationRole(organization.role, "admin");
  return (
    <PageFrame id="organization-members">
      <WithOrganization>
        {({ id, role }) => (
          <>
            <Members organizationId={id} held={role} selfId={user.id} />
            {isAdmin && <Invitations organizationId={id} />}
            {inviting && isAdmin && (
              <InviteDialog organizationId={id} held={role} onClose={() => setInviting(false)} />
            )}
          </>
        )}
      </WithOrganization>
    </PageFrame>
  );
}

function Members(props: Omit<Parameters<typeof MemberTable>[0], "members">) {
  const query = useOperation("listMembers", { organizationId: props.organizationId });
  return (
    <PageList
      id="organization-members"
      query={query}
      noun="members"
      icon={Users}
      textOf={({ name, email }) => `${name} ${email}`}
    >
      {(shown) => <MemberTable {...props} members={shown} />}
    </PageList>
  );
}

function Invitations({ organizationId }: { organizationId: string }) {
  const query = useOperation("listInvitations", { organizationId });
  // Nothing to wait for: an organization without invitations simply has no such section.
  if (query.data?.items.length === 0) return null;
  return (
    <div className="stack gap-3">
      <h2 className="font-semibold text-lg">Invitations</h2>
      <Loaded query={query} what="the invitations">
        {({ items }) => <InvitationTable organizationId={organizationId} invitations={items} />}
      </Loaded>
    </div>
  );
}
