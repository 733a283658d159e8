/** @module What every page of one server shares: its name, its state, and the server once it is there. */
import type { ProjectServer } from "@fettle/contract";
import type { ReactNode } from "react";
import { useOperation } from "../../api/operation.ts";
import { SignInNotice } from "../../features/servers/parts/server-sign-in.tsx";
import { ServerStatus } from "../../features/servers/parts/server-status.tsx";
import { useCommandFacts } from "../../kit/command-facts.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame, type PageFrameProps } from "../../pages/page-frame.tsx";
import { pagePath } from "../../pages/pages.ts";

export interface ServerFrameProps extends Pick<PageFrameProps, "id" | "width"> {
  children: (server: ProjectServer) => ReactNode;
}

/** Consent is one of the small pages, which are another document; it leads back to the server. */
export function toConsent(request: string): void {
  location.assign(pagePath("connect-request", { request }));
}

export function ServerFrame({ id, width = "wide", children }: ServerFrameProps) {
  const { pid = "", sid = "" } = useOpenPage().parameters;
  const query = useOperation("getProjectServer", { projectId: pid, serverId: sid });
  useCommandFacts({ address: query.data?.url });
  return (
    <PageFrame
      id={id}
      width={width}
      title={query.data?.name ?? "Server"}
      chip={query.data && <ServerStatus serverId={sid} />}
      about={
        query.data?.url && <span className="break-all font-mono text-code text-faint">{query.data.url}</span>
      }
    >
      <Loaded query={query} what="the server">
        {/* Another server is another page: nothing typed for one may stay for the next. */}
        {(server) => (
          <div key={server.id} className="stack gap-6">
            <SignInNotice server={server} onStarted={toConsent} />
            {children(server)}
          </div>
        )}
      </Loaded>
    </PageFrame>
  );
}
