/** @module Names of servers in a sentence, each a link to its page. */
import type { ProjectServer } from "@fettle/contract/servers";
import { Fragment } from "react";
import { PageLink } from "../../../pages/page-link.tsx";

export function ServerLinks({ servers }: { servers: readonly ProjectServer[] }) {
  return servers.map(({ id, projectId, name }, at) => (
    <Fragment key={id}>
      {at > 0 && ", "}
      <PageLink
        page="server-overview"
        params={{ pid: projectId, sid: id }}
        className="break-words text-link underline"
      >
        {name}
      </PageLink>
    </Fragment>
  ));
}
