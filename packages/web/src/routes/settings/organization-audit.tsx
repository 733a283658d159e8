/** @module `/o/:org/settings/audit`: who did what in the organization. */
import { ShieldCheck } from "lucide-react";
import { AuditTable } from "../../features/audit/parts/audit-table.tsx";
import { StateView } from "../../kit/state-view.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { useSearchText } from "../../pages/use-search.ts";
import { WithOrganization } from "../../pages/with-organization.tsx";

export function OrganizationAudit() {
  const person = useSearchText("person");
  const action = useSearchText("action");
  const days = useSearchText("days");
  return (
    <PageFrame id="organization-audit">
      <WithOrganization>
        {({ id, role }) =>
          role === "owner" ? (
            <AuditTable organizationId={id} person={person} action={action} days={days} />
          ) : (
            <StateView
              heading="h2"
              state="empty"
              icon={<ShieldCheck aria-hidden="true" className="size-5" />}
              title="Owners read the audit log"
            >
              It says who changed what, when and from where. Ask an owner of the organization.
            </StateView>
          )
        }
      </WithOrganization>
    </PageFrame>
  );
}
