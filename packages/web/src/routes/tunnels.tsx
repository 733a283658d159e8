/** @module `/p/:pid/tunnels`: servers on people's own machines, reachable while those are connected. */
import { useQuery } from "@tanstack/react-query";
import { Cable } from "lucide-react";
import { useOpenPage } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById } from "../app/pages.ts";
import { OpenHint } from "../features/tunnels/parts/open-hint.tsx";
import { TunnelTable } from "../features/tunnels/parts/tunnel-table.tsx";
import { tunnelsQuery } from "../features/tunnels/queries.ts";
import { Loaded } from "../kit/loaded.tsx";
import { StateView } from "../kit/state-view.tsx";

const page = pageById("tunnels");

export function Tunnels() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useQuery(tunnelsQuery(pid));
  return (
    <PageFrame id="tunnels" about={page.about}>
      <Loaded query={query} what="the tunnels">
        {({ items }) =>
          items.length === 0 ? (
            <StateView
              state="empty"
              icon={<Cable aria-hidden="true" className="size-5" />}
              title={page.empty!.title}
            >
              <p className="mb-4">{page.empty!.text}</p>
              <OpenHint name="my-server" />
            </StateView>
          ) : (
            <TunnelTable projectId={pid} tunnels={items} />
          )
        }
      </Loaded>
    </PageFrame>
  );
}
