/** @module The line above every page: navigation on small screens, breadcrumb, page tools. */
import { Menu as MenuIcon, PanelLeftOpen } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { preferences, setPreference } from "../lib/preferences.ts";
import { createStore } from "../lib/store.ts";
import { IconButton } from "../ui/icon-button.tsx";

/** Whether the navigation sheet of small screens is open. */
export const navigationSheet = createStore(false);

export function TopBar({ children, end }: { children?: ReactNode; end?: ReactNode }) {
  const { sidebar } = useSyncExternalStore(preferences.subscribe, preferences.get);
  return (
    <div className="sticky top-0 z-30 flex h-12 items-center gap-2 border-line border-b bg-surface px-4 sm:px-6">
      <IconButton
        label="Open navigation"
        className="-ml-2 lg:hidden"
        onClick={() => navigationSheet.set(true)}
      >
        <MenuIcon aria-hidden="true" className="size-4" />
      </IconButton>
      {sidebar === "closed" && (
        <IconButton
          label="Show side bar"
          className="-ml-2 max-lg:hidden"
          onClick={() => setPreference("sidebar", "open")}
        >
          <PanelLeftOpen aria-hidden="true" className="size-4" />
        </IconButton>
      )}
      <div className="min-w-0 flex-1">{children}</div>
      {end}
    </div>
  );
}
