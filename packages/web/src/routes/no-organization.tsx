/** @module `/`, for someone who belongs to no organization. */
import { Building2 } from "lucide-react";
import { createOrganizationOpen } from "../features/organization/parts/create-organization.tsx";
import { StateView } from "../kit/state-view.tsx";
import { TopBar } from "../pages/top-bar.tsx";
import { Button } from "../ui/button.tsx";

export function NoOrganization() {
  return (
    <>
      <TopBar />
      <div className="mx-auto max-w-2xl px-6 py-16">
        <StateView
          state="empty"
          heading="h1"
          icon={<Building2 aria-hidden="true" className="size-5" />}
          title="You belong to no organization"
          actions={
            <Button look="primary" onClick={() => createOrganizationOpen.set(true)}>
              New organization
            </Button>
          }
        >
          Ask someone for an invitation, or make an organization of your own.
        </StateView>
      </div>
    </>
  );
}
