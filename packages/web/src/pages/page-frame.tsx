/** @module The head and body every page shares: breadcrumb, title with its state, one main action, the terminal twin. */
import { Plus } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Blocked } from "../kit/blocked.tsx";
import { useWriteBlock } from "../kit/use-link-state.ts";
import { cx } from "../lib/cx.ts";
import { Button } from "../ui/button.tsx";
import { Crumbs } from "./crumbs.tsx";
import type { PageDeclaration } from "./page.ts";
import { useOpenPage, usePlace, useRefusal } from "./page-context.tsx";
import { PageTabs } from "./page-tabs.tsx";
import { type AppPageId, pageById } from "./pages.ts";
import { TerminalTwin } from "./terminal-twin.tsx";
import { TopBar } from "./top-bar.tsx";
import { usePrimaryAction } from "./use-search.ts";

export interface PageFrameProps {
  id: AppPageId;
  /** When the page is about one thing, its name; the manifest's title otherwise. */
  title?: string;
  about?: ReactNode;
  chip?: ReactNode;
  /** Why the main action cannot be used, where it is not the role that the page declares. */
  blocked?: string | undefined;
  /** What else can be done with what the page is about. */
  actions?: ReactNode;
  /** Wide pages are for tables, full ones for work side by side; forms read better narrow. */
  width?: "narrow" | "wide" | "full";
  children: ReactNode;
}

export function PageFrame({
  id,
  title,
  about,
  chip,
  blocked,
  actions,
  width = "wide",
  children,
}: PageFrameProps) {
  const page = pageById(id);
  const { parameters } = useOpenPage();
  const [, setOpen] = usePrimaryAction();
  const refusal = useRefusal(id);
  const offline = useWriteBlock();
  const heading = title ?? (page.tabs ? headings[page.tabs] : page.title);
  useDocumentTitle(page, heading);

  return (
    <>
      <TopBar end={<TerminalTwin page={page} parameters={parameters} />}>
        <Crumbs page={page} heading={heading} />
      </TopBar>
      <div
        className={cx(
          "mx-auto w-full px-4 py-6 sm:px-8 sm:py-8",
          width === "full" ? "max-w-[100rem]" : "max-w-5xl",
        )}
      >
        <header className="mb-6 flex min-h-control flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-2.5">
              <h1 tabIndex={-1} className="break-words font-semibold text-xl tracking-[-0.012em]">
                {heading}
              </h1>
              {chip}
            </div>
            {about && <div className="mt-1 max-w-[44rem] text-base text-soft">{about}</div>}
          </div>
          {(actions || page.action) && (
            <div className="flex flex-wrap items-center gap-2">
              {actions}
              {page.action && (
                <Blocked reason={blocked ?? refusal ?? offline}>
                  <Button
                    look="primary"
                    data-primary-action=""
                    icon={<Plus aria-hidden="true" className="size-4" />}
                    onClick={() => setOpen(true)}
                  >
                    {page.action.label}
                  </Button>
                </Blocked>
              )}
            </div>
          )}
        </header>
        {page.tabs && <PageTabs tabs={page.tabs} openId={page.id} parameters={parameters} />}
        <div className={cx("stack gap-6", width === "narrow" && "max-w-3xl")}>{children}</div>
      </div>
    </>
  );
}

/** What the browser's tab says: the page, and where it is. */
export function useDocumentTitle(page: PageDeclaration, heading: string): void {
  const { organization, project } = usePlace();
  const around =
    page.area === "project" ? project?.name : page.area === "organization" ? organization?.name : undefined;
  useEffect(() => {
    document.title = [page.tabs ? page.title : heading, around, "Fettle"].filter(Boolean).join(" · ");
  }, [page, heading, around]);
}

const headings = {
  "organization-settings": "Organization settings",
  "project-settings": "Project settings",
  account: "Account",
  server: "Server",
  client: "Client",
  environment: "Environment",
  "eval-suite": "Suite",
  swarms: "Swarms",
  swarm: "Swarm",
  journey: "Journey",
} as const;
