/** @module What every page of one server shares: its name and state in one line, its sections, and the server once it is there. */
import type { ProjectServer } from "@fettle/contract/servers";
import { lazy, type ReactNode, Suspense } from "react";
import { useOperation } from "../../api/operation.ts";
import { OtherServers } from "../../features/servers/parts/other-servers.tsx";
import { SignInNotice } from "../../features/servers/parts/server-sign-in.tsx";
import { ServerStatus } from "../../features/servers/parts/server-status.tsx";
import { ServerSwitcher } from "../../features/servers/parts/server-switcher.tsx";
import { useCommandFacts } from "../../kit/command-facts.ts";
import { Loaded } from "../../kit/loaded.tsx";
import { cx } from "../../lib/cx.ts";
import { isLocal } from "../../lib/local.ts";
import { Crumbs } from "../../pages/crumbs.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { type PageFrameProps, useDocumentTitle } from "../../pages/page-frame.tsx";
import { PageTabs } from "../../pages/page-tabs.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { TerminalTwin } from "../../pages/terminal-twin.tsx";
import { TopBar } from "../../pages/top-bar.tsx";

/** The page need not wait for either. */
const MessageDock = lazy(async () => ({
  default: (await import("../../features/traffic/parts/message-dock.tsx")).MessageDock,
}));
const Approval = lazy(async () => ({ default: (await import("../../local/approval.tsx")).Approval }));
const ServerQuestions = lazy(async () => ({
  default: (await import("../../kit/server-questions/server-questions.tsx")).ServerQuestions,
}));

export interface ServerFrameProps extends Pick<PageFrameProps, "id"> {
  /** The section it is in, where that is another page. */
  section?: PageFrameProps["id"];
  /** A bench fills the window, and its panes scroll by themselves; everything else scrolls as a whole. */
  width?: PageFrameProps["width"] | "bench";
  children: (server: ProjectServer) => ReactNode;
}

/** Consent is one of the small pages, which are another document; it leads back to the server. */
export function toConsent(request: string): void {
  location.assign(pagePath("connect-request", { request }));
}

export function ServerFrame({ id, section = id, width = "wide", children }: ServerFrameProps) {
  const { parameters } = useOpenPage();
  const { pid = "", sid = "" } = parameters;
  const page = pageById(id);
  const query = useOperation("getProjectServer", { projectId: pid, serverId: sid });
  const heading = query.data?.name ?? "Server";
  const isBench = width === "bench";
  useCommandFacts({ address: query.data?.url });
  useDocumentTitle(page, section === id ? heading : page.title);
  return (
    <div className="flex h-full flex-col">
      <TopBar end={<TerminalTwin page={page} parameters={parameters} />}>
        <Crumbs page={page} heading={heading} section={section === id ? undefined : pageById(section)} />
      </TopBar>
      <div
        className={cx("min-h-0 flex-1 overflow-y-auto", isBench && "xl:flex xl:flex-col xl:overflow-hidden")}
      >
        <header className="flex min-h-11 items-center gap-2.5 px-4 pt-1 sm:px-6">
          <h1
            tabIndex={-1}
            className="wrap-anywhere line-clamp-2 min-w-0 font-semibold text-lg tracking-[-0.012em]"
          >
            {heading}
          </h1>
          <ServerSwitcher projectId={pid} serverId={sid} page={section} />
          {query.data && <ServerStatus projectId={pid} serverId={sid} headerNames={query.data.headerNames} />}
          <OtherServers projectId={pid} serverId={sid} page={section} />
          <span
            title={query.data?.url ?? undefined}
            className="min-w-0 flex-1 truncate text-right font-mono text-code text-faint max-sm:hidden"
          >
            {query.data?.url}
          </span>
        </header>
        <PageTabs
          tabs="server"
          openId={section}
          parameters={parameters}
          className={cx("shrink-0 px-4 sm:px-6", !isBench && "mb-6")}
        />
        <div className={isBench ? "min-h-0 flex-1 xl:flex xl:flex-col" : bodies[width]}>
          <Loaded query={query} what="the server">
            {/* Another server is another page: nothing typed for one may stay for the next. */}
            {(server) => (
              <div
                key={server.id}
                className={isBench ? "min-h-0 flex-1 xl:flex xl:flex-col" : "stack gap-6 pb-8"}
              >
                {/* The page of the sign-in says itself what comes next. */}
                {id !== "server-auth" && <SignInNotice server={server} onStarted={toConsent} />}
                {isLocal && server.transportType === "stdio" ? (
                  <Suspense>
                    <Approval server={server}>{children(server)}</Approval>
                  </Suspense>
                ) : (
                  children(server)
                )}
              </div>
            )}
          </Loaded>
        </div>
      </div>
      {query.data && (
        <Suspense>
          {/* Beside its call where there is one; here for what else was asked. */}
          {id !== "server-tools" && <ServerQuestions serverId={sid} />}
          {id !== "server-traffic" && <MessageDock key={sid} server={query.data} />}
        </Suspense>
      )}
    </div>
  );
}

const bodies = {
  narrow: "max-w-3xl px-4 sm:px-6",
  wide: "max-w-5xl px-4 sm:px-6",
  full: "px-4 sm:px-6",
} as const;
