/** @module The page's filter and its started action live in the address, so that a reload or a shared link shows the same. */
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";

type Search = Record<string, unknown>;

/** One text value of the address; empty ones are left out of it, and others stay as they are. */
export function useSearchText(name: string): [string, (value: string) => void] {
  const value = useRouterState({ select: (state) => (state.location.search as Search)[name] });
  const navigate = useNavigate();
  const set = useCallback(
    (next: string) =>
      void navigate({
        to: ".",
        search: (before: Search) => {
          const { [name]: _, ...others } = before;
          return next === "" ? others : { ...others, [name]: next };
        },
        replace: true,
        // What is chosen on a page moves nobody to its top.
        resetScroll: false,
      }),
    [navigate, name],
  );
  return [value === undefined ? "" : String(value), set];
}

/** Whether the page's main action is open, such as its "create" dialog. */
export function usePrimaryAction(): [boolean, (open: boolean) => void] {
  const [value, set] = useSearchText("do");
  const setOpen = useCallback((open: boolean) => set(open ? "new" : ""), [set]);
  return [value === "new", setOpen];
}
