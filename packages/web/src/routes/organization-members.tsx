/** @module `/o/:org/settings/members`: members, invitations, roles. */
import { type Bootstrap, holdsOrganizationRole } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { membersQuery } from "../api/queries.ts";
import { useBootstrap, usePlace } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { WithOrganization } from "../app/with-organization.tsx";
import { InvitationTable } from "../features/members/parts/invitation-table.tsx";
import { InviteDialog } from "../features/members/parts/invite-dialog.tsx";
import { MemberTable } from "../features/members/parts/member-table.tsx";
import { invitationsQuery } from "../features/members/queries.ts";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";

type Membership = Bootstrap["organizations"][number];

export function OrganizationMembers() {
  const { organization } = usePlace();
  const [inviting, setInviting] = usePrimaryAction();
  const isAdmin = organization !== undefined && holdsOrganizationRole(organization.role, "admin");
  return (
    <PageFrame id="organization-members">
      <WithOrganization>
        {(open) => (
          <>
            <Members organization={open} />
            {isAdmin && <Invitations organizationId={open.id} />}
            <InviteDialog
              open={inviting && isAdmin}
              organizationId={open.id}
              held={open.role}
              onClose={() => setInviting(false)}
            />
          </>
        )}
      </WithOrganization>
    </PageFrame>
  );
}

function Members({ organization }: { organization: Membership }) {
  const { user } = useBootstrap();
  const [filter, setFilter] = useSearchText("q");
  return (
    <Loaded query={useQuery(membersQuery(organization.id))} what="the members">
      {({ items }) => {
        const shown = items.filter(({ name, email }) =>
          `${name} ${email}`.toLowerCase().includes(filter.toLowerCase()),
        );
        return (
          <div className="stack gap-4">
            <FilterInput label="Filter members" value={filter} onChange={setFilter} />
            {shown.length > 0 ? (
              <MemberTable
                organizationId={organization.id}
                held={organization.role}
                selfId={user.id}
                members={shown}
              />
            ) : (
              <NothingMatches filter={filter} onClear={() => setFilter("")} />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function Invitations({ organizationId }: { organizationId: string }) {
  const query = useQuery(invitationsQuery(organizationId));
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
