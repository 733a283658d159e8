/** @module `/account/keys`. */
import { holdsOrganizationRole, limits } from "@fettle/contract";
import { useQueries } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useCallback } from "react";
import { failureOf } from "../api/failure.ts";
import { useBootstrap } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { inListOrder } from "../features/keys/key-state.ts";
import { CreateKeyDialog } from "../features/keys/parts/create-key-dialog.tsx";
import { KeyTable } from "../features/keys/parts/key-table.tsx";
import { keysQuery } from "../features/keys/queries.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loading } from "../kit/loading.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";

const page = pageById("account-keys");

export function AccountKeys() {
  const { organizations } = useBootstrap();
  const [creating, setCreating] = usePrimaryAction();
  const places = organizations.filter(({ role }) => holdsOrganizationRole(role, "member"));
  const { perMinute, burst } = limits.rate.key;
  return (
    <PageFrame
      id="account-keys"
      blocked={places.length > 0 ? undefined : "Keys belong to an organization, and guests cannot make them."}
    >
      <Keys places={places} onCreate={() => setCreating(true)} />
      <p className="text-faint text-sm">
        Each key may make {perMinute} requests a minute, in bursts of {burst}. Keys cannot make or revoke
        keys: that is done only here.
      </p>
      <CreateKeyDialog
        open={creating && places.length > 0}
        organizations={places}
        onClose={() => setCreating(false)}
      />
    </PageFrame>
  );
}

function Keys({
  places,
  onCreate,
}: {
  places: readonly { id: string; name: string }[];
  onCreate: () => void;
}) {
  const [filter, setFilter] = useSearchText("q");
  const queries = useQueries({ queries: places.map(({ id }) => keysQuery(id)) });
  const nameOf = useCallback((id: string) => places.find((place) => place.id === id)?.name ?? id, [places]);
  const failed = queries.find((query) => query.isError && query.data === undefined);
  if (failed) {
    return (
      <FailureView failure={failureOf(failed.error)} what="the keys" onRetry={() => void failed.refetch()} />
    );
  }
  if (queries.some((query) => query.data === undefined)) return <Loading what="the keys" />;
  const keys = inListOrder(
    queries.flatMap((query) => query.data?.items ?? []),
    Date.now(),
  );
  if (keys.length === 0) {
    return (
      <StateView
        state="empty"
        icon={<KeyRound aria-hidden="true" className="size-5" />}
        title={page.empty!.title}
        actions={places.length > 0 && <Button onClick={onCreate}>{page.action!.label}</Button>}
      >
        {page.empty!.text}
      </StateView>
    );
  }
  const shown = keys.filter(({ name, redacted }) =>
    `${name} ${redacted}`.toLowerCase().includes(filter.toLowerCase()),
  );
  return (
    <div className="stack gap-4">
      <FilterInput label="Filter keys" value={filter} onChange={setFilter} />
      {shown.length > 0 ? (
        <KeyTable keys={shown} nameOf={nameOf} showOrganization={places.length > 1} />
      ) : (
        <NothingMatches filter={filter} onClear={() => setFilter("")} />
      )}
    </div>
  );
}
