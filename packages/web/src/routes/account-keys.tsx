/** @module `/account/keys`. */
import { holdsOrganizationRole, keyRateLimits } from "@fettle/contract/core";
import { useQueries } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { operationOptions } from "../api/operation.ts";
import { inListOrder } from "../features/keys/key-state.ts";
import { CreateKeyDialog } from "../features/keys/parts/create-key-dialog.tsx";
import { KeyTable } from "../features/keys/parts/key-table.tsx";
import { useBootstrap } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { usePrimaryAction } from "../pages/use-search.ts";

export function AccountKeys() {
  const { organizations } = useBootstrap();
  const [creating, setCreating] = usePrimaryAction();
  const places = organizations.filter(({ role }) => holdsOrganizationRole(role, "member"));
  const blocked =
    places.length > 0 ? undefined : "Keys belong to an organization, and guests cannot make them.";
  const { perMinute, burst } = keyRateLimits;
  // The keys of all organizations are one list.
  const query = useQueries({
    queries: places.map(({ id }) => operationOptions("listApiKeys", { organizationId: id })),
    combine: (all) => {
      const failed = all.find(({ isError, data }) => isError && data === undefined);
      return {
        data: all.every(({ data }) => data !== undefined)
          ? {
              items: inListOrder(
                all.flatMap(({ data }) => data?.items ?? []),
                Date.now(),
              ),
            }
          : undefined,
        isError: failed !== undefined,
        error: failed?.error ?? null,
        refetch: () => failed?.refetch(),
      };
    },
  });
  return (
    <PageFrame id="account-keys" blocked={blocked}>
      <PageList
        id="account-keys"
        query={query}
        noun="keys"
        icon={KeyRound}
        textOf={({ name, redacted }) => `${name} ${redacted}`}
        blocked={blocked}
      >
        {(shown) => (
          <KeyTable
            keys={shown}
            nameOf={(id) => places.find((place) => place.id === id)?.name ?? id}
            showOrganization={places.length > 1}
          />
        )}
      </PageList>
      <p className="text-faint text-sm">
        Each key may make {perMinute} requests a minute, in bursts of {burst}. Keys cannot make or revoke
        keys: that is done only here.
      </p>
      {creating && blocked === undefined && (
        <CreateKeyDialog organizations={places} onClose={() => setCreating(false)} />
      )}
    </PageFrame>
  );
}
