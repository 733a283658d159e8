/** @module The shell around every signed-in page. */
import { Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { sessionEnded } from "../../api/session.ts";
import { useLinkState } from "../../kit/use-link-state.ts";
import { cx } from "../../lib/cx.ts";
import { preferences } from "../../lib/preferences.ts";
import { writeStored } from "../../lib/storage.ts";
import { useBootstrap, useOpenPage, usePlace } from "../../pages/page-context.tsx";
import { navigationSheet } from "../../pages/top-bar.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Toaster } from "../../ui/toast.tsx";
import { useLiveTopics } from "../live-topics.ts";
import { keySheetOpen, paletteOpen } from "../palette/palette-open.ts";
import { useKeys } from "../palette/use-keys.ts";
import { Sidebar } from "./sidebar.tsx";
import { StaleLine } from "./stale-line.tsx";

export function Workspace() {
  const { mode } = useBootstrap();
  const { sidebar } = useSyncExternalStore(preferences.subscribe, preferences.get);
  const live = useLinkState();
  const navigationOpen = useSyncExternalStore(navigationSheet.subscribe, navigationSheet.get);
  useLiveTopics(useTopics());
  useKeys();
  useLastPlace();
  useHeadingFocus();
  return (
    <>
      <div
        data-testid="app"
        data-mode={mode}
        data-ready="true"
        data-live={live}
        className={cx("h-dvh lg:grid", sidebar === "open" && "lg:grid-cols-[15.5rem_minmax(0,1fr)]")}
      >
        <a
          href="#main"
          className="fixed top-2 left-2 z-60 -translate-y-16 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
        >
          Skip to content
        </a>
        {sidebar === "open" && (
          <aside
            aria-label="Navigation"
            className="min-h-0 overflow-y-auto border-line border-r bg-canvas max-lg:hidden"
          >
            <Sidebar />
          </aside>
        )}
        <Sheet open={navigationOpen} onClose={() => navigationSheet.set(false)} title="Navigation">
          <Sidebar />
        </Sheet>
        <main
          id="main"
          tabIndex={-1}
          className="relative h-full min-h-0 min-w-0 overflow-y-auto bg-surface outline-none"
        >
          <StaleLine />
          <Outlet />
        </main>
      </div>
      <Rare />
      <Toaster />
    </>
  );
}

const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }));
const KeySheet = lazy(async () => ({ default: (await import("../palette/key-sheet.tsx")).KeySheet }));
const SessionEnded = lazy(async () => ({ default: (await import("./session-ended.tsx")).SessionEnded }));

/** Layers that most visits never open are fetched by the first that does. */
function Rare() {
  const palette = useSyncExternalStore(paletteOpen.subscribe, paletteOpen.get);
  // Kept once it is there: it gives the focus back when it closes.
  const [isFetched, setFetched] = useState(false);
  if (palette && !isFetched) setFetched(true);
  const keys = useSyncExternalStore(keySheetOpen.subscribe, keySheetOpen.get);
  const ended = useSyncExternalStore(sessionEnded.subscribe, sessionEnded.get);
  return (
    <Suspense>
      {isFetched && <Palette />}
      {keys && <KeySheet />}
      {ended && <SessionEnded />}
    </Suspense>
  );
}

/**
 * What the open page wants to hear about, once it is known to exist: a topic that is not theirs would have the whole stream refused. One's
 * own account is always among them.
 */
function useTopics(): string[] {
  const { page } = useOpenPage();
  const { organization, project } = usePlace();
  const topics = {
    entrance: [],
    account: [],
    organization: organization ? [`organization:${organization.id}`] : [],
    project: project ? [`project:${project.id}`] : [],
  };
  return ["account", ...(page ? topics[page.area] : [])];
}

/** Remembers where the person works, for the start page and the account pages. */
function useLastPlace(): void {
  const { organization, project, isProjectPage } = usePlace();
  const { page } = useOpenPage();
  const org = organization?.id;
  const pid = isProjectPage ? project?.id : undefined;
  useEffect(() => {
    if (page && page.area !== "account" && org) writeStored("place", { org, pid });
  }, [page, org, pid]);
}

/** After a move to another page its heading takes the focus, so that keyboard and screen reader start there. */
function useHeadingFocus(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        navigationSheet.set(false);
        if (!pathChanged || !fromLocation) return;
        document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
      }),
    [router],
  );
}
