/** @module `/p/:pid/tunnels`: servers on people's own machines, reachable while those are connected. */
import { Cable } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { OpenHint } from "../features/tunnels/parts/open-hint.tsx";
import { TunnelTable } from "../features/tunnels/parts/tunnel-table.tsx";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById } from "../pages/pages.ts";

const page = pageById("tunnels");

export function Tunnels() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listTunnels", { projectId: pid });
  return (
    <PageFrame id="tunnels" about={page.about}>
      <PageList
        id="tunnels"
        query={query}
        noun="tunnels"
        icon={Cable}
        textOf={({ serverName, path }) => `${serverName} ${path}`}
        hint={<OpenHint name="my-server" />}
      >
        {(shown) => <TunnelTable projectId={pid} tunnels={shown} />}
      </PageList>
    </PageFrame>
  );
}
