/** @module `/o/:org/settings/models`: providers and their keys, the daily limit, what was spent. */
import { holdsOrganizationRole } from "@fettle/contract/core";
import type { ModelProvider } from "@fettle/contract/models";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { useOperation } from "../../api/operation.ts";
import { ProviderDialog } from "../../features/models/parts/provider-dialog.tsx";
import { ProviderTable } from "../../features/models/parts/provider-table.tsx";
import { Spending } from "../../features/models/parts/spending.tsx";
import { TryDialog } from "../../features/models/parts/try-dialog.tsx";
import { setUp } from "../../features/models/words.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { useRefusal } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { WithOrganization } from "../../pages/with-organization.tsx";

export function OrganizationModels() {
  return (
    <PageFrame id="organization-models">
      <WithOrganization>
        {({ id, role }) => (
          <>
            <Providers organizationId={id} />
            {holdsOrganizationRole(role, "admin") && <Spent organizationId={id} />}
          </>
        )}
      </WithOrganization>
    </PageFrame>
  );
}

function Providers({ organizationId }: { organizationId: string }) {
  const query = useOperation("listModelProviders", { organizationId });
  const refusal = useRefusal("organization-models");
  const [adding, setAdding] = usePrimaryAction();
  const [changing, setChanging] = useState<ModelProvider>();
  const [trying, setTrying] = useState<ModelProvider>();
  const all = query.data?.items ?? [];
  const { isError, error, refetch } = query;
  const inUse = { data: query.data && { items: setUp(all) }, isError, error, refetch };
  return (
    <>
      <PageList
        id="organization-models"
        query={inUse}
        noun="providers"
        icon={Sparkles}
        textOf={({ name, provider }) => `${name} ${provider}`}
      >
        {(shown) => (
          <ProviderTable
            organizationId={organizationId}
            providers={shown}
            blocked={refusal}
            onChange={setChanging}
            onTry={setTrying}
          />
        )}
      </PageList>
      {adding && refusal === undefined && query.data && (
        <ProviderDialog organizationId={organizationId} providers={all} onClose={() => setAdding(false)} />
      )}
      {changing && (
        <ProviderDialog
          organizationId={organizationId}
          providers={all}
          provider={changing}
          onClose={() => setChanging(undefined)}
        />
      )}
      {trying && (
        <TryDialog organizationId={organizationId} provider={trying} onClose={() => setTrying(undefined)} />
      )}
    </>
  );
}

function Spent({ organizationId }: { organizationId: string }) {
  const query = useOperation("getModelSpend", { organizationId, query: {} });
  return (
    <Loaded query={query} what="what was spent">
      {(spend) => <Spending organizationId={organizationId} spend={spend} />}
    </Loaded>
  );
}
