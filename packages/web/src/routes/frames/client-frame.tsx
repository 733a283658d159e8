/** @module What every page of one client shares: its name, its config id, and the client once it is there. */
import type { ClientDetail } from "@fettle/contract/environments";
import type { Project } from "@fettle/contract/people";
import type { ReactNode } from "react";
import { useOperation } from "../../api/operation.ts";
import { shortConfigId } from "../../features/clients/parts/client-table.tsx";
import { GoneNotice } from "../../kit/gone-notice.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame, type PageFrameProps } from "../../pages/page-frame.tsx";

export interface ClientFrameProps extends Pick<PageFrameProps, "id"> {
  children: (client: ClientDetail, projectId: string) => ReactNode;
}

export function ClientFrame({ id, children }: ClientFrameProps) {
  const { pid = "", cid = "" } = useOpenPage().parameters;
  const query = useOperation("getClient", { projectId: pid, client: cid });
  return (
    <PageFrame
      id={id}
      title={query.data?.name ?? "Client"}
      about={
        query.data && (
          <span className="font-mono text-code text-faint">{shortConfigId(query.data.configId)}</span>
        )
      }
    >
      <GoneNotice query={query} what="client" />
      <Loaded query={query} what="the client">
        {/* Another client is another page: nothing typed for one may stay for the next. */}
        {(client) => (
          <div key={client.id} className="stack gap-6">
            {children(client, pid)}
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}

/** The service decides; the page says it before one tries. */
export function adminsDuplicate(project: Project | undefined): string | undefined {
  return project && project.role !== "admin" ? "Only project admins can duplicate a client." : undefined;
}

export function adminsAttach(project: Project | undefined): string | undefined {
  return project && project.role !== "admin"
    ? `Only project admins can change a client's servers; your role here is ${project.role}.`
    : undefined;
}
