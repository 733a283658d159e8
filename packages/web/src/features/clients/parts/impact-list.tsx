/** @module What follows a client, by name where names are known. */
import type { ClientImpact, Environment } from "@fettle/contract/environments";
import { everyEnvironment } from "../../../api/environments.ts";
import { useOperation } from "../../../api/operation.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { impactWords } from "../impact.ts";
import type { ClientAddress } from "../queries.ts";

/** The live environments that run as this client. */
function useFollowers({ projectId, clientId }: ClientAddress): readonly Environment[] {
  const { data } = useOperation("listEnvironments", everyEnvironment(projectId));
  return data?.items.filter(({ hostId, archived }) => hostId === clientId && !archived) ?? [];
}

export function ImpactList({ address, impact }: { address: ClientAddress; impact: ClientImpact }) {
  const followers = useFollowers(address);
  return (
    <div data-testid="impact" data-environments={impact.liveEnvironmentCount} className="stack gap-1.5">
      <p>{impactWords(impact)}</p>
      {followers.length > 0 && (
        <ul className="grid gap-1">
          {followers.map(({ id, name }) => (
            <li key={id}>
              <PageLink
                page="environment-settings"
                params={{ pid: address.projectId, eid: id }}
                className="rounded-[4px] text-accent-text underline underline-offset-2"
              >
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
