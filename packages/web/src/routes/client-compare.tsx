/** @module `/p/:pid/clients/compare`: two clients side by side. Which ones is in the address. */
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { CompareClients } from "../features/clients/parts/compare-clients.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pageById } from "../pages/pages.ts";

export function ClientCompare() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listClients", { projectId: pid });
  const search = useRouterState({ select: (state) => state.location.search as Record<string, unknown> });
  const navigate = useNavigate();
  return (
    <PageFrame id="client-compare" about={pageById("client-compare").about}>
      <Loaded query={query} what="the clients">
        {({ items }) => (
          <CompareClients
            projectId={pid}
            clients={items}
            left={String(search.left ?? "")}
            right={String(search.right ?? "")}
            onPick={(left, right) =>
              void navigate({
                to: ".",
                search: { ...(left && { left }), ...(right && { right }) },
                replace: true,
              })
            }
          />
        )}
      </Loaded>
    </PageFrame>
  );
}
