/** @module `/o/:org/settings/general`. */

import { LeaveOrganization } from "../../features/organization/parts/leave-organization.tsx";
import { OrganizationForm } from "../../features/organization/parts/organization-form.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { WithOrganization } from "../../pages/with-organization.tsx";

export function OrganizationGeneral() {
  return (
    <PageFrame id="organization-general" width="narrow">
      <WithOrganization>
        {(organization) => (
          <>
            <OrganizationForm key={organization.id} organization={organization} />
            {/* A full load: what was read as a member must not stay in memory. */}
            <LeaveOrganization organization={organization} onLeft={() => location.assign("/")} />
          </>
        )}
      </WithOrganization>
    </PageFrame>
  );
}
