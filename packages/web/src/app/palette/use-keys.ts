/** @module Acts on the keys of the keymap in the open page. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { commandFacts } from "../../kit/command-facts.ts";
import { preferences, setPreference } from "../../lib/preferences.ts";
import { useOpenPage, usePlace } from "../../pages/page-context.tsx";
import { addressOf, type PageId, pageById } from "../../pages/pages.ts";
import { toast } from "../../ui/toast.tsx";
import { type KeyAction, listenToKeys } from "../keymap.ts";
import { keySheetOpen, paletteOpen } from "./palette-open.ts";
import { holdTyping } from "./typed-ahead.ts";

export function useKeys(): void {
  const navigate = useNavigate();
  const { page, parameters } = useOpenPage();
  const { organization, project } = usePlace();
  const here = {
    ...(organization && { org: organization.id }),
    ...(project && { pid: project.id }),
    ...parameters,
  };
  const latest = useRef({ page, parameters, here });
  latest.current = { page, parameters, here };

  useEffect(() => {
    // Fetched beforehand: browsers let a page copy only right after the key.
    const commands = import("../../pages/command-line.ts");
    const act: Record<KeyAction, () => void> = {
      palette: () => {
        if (!paletteOpen.get()) holdTyping();
        paletteOpen.set(!paletteOpen.get());
      },
      keys: () => keySheetOpen.set(true),
      filter: () => document.querySelector<HTMLElement>("[data-filter]")?.focus(),
      "next-row": () => moveRow(1),
      "previous-row": () => moveRow(-1),
      "primary-action": () => document.querySelector<HTMLElement>("[data-primary-action]")?.click(),
      "copy-id": () => copy(idShown(latest.current.parameters), "Id copied"),
      "copy-link": () => copy(location.href, "Link copied"),
      "copy-command": () => {
        const { page: open, parameters: given } = latest.current;
        const known = { ...commandFacts.get(), ...given };
        void commands.then(({ commandLine }) => copy(open && commandLine(open, known), "Command copied"));
      },
      "toggle-sidebar": () =>
        setPreference("sidebar", preferences.get().sidebar === "open" ? "closed" : "open"),
    };
    return listenToKeys({
      onAction: (action) => act[action](),
      onJump: (pageId) => {
        const to = addressOf(pageById(pageId as PageId), latest.current.here);
        // An address with an empty part has no place to go to: no project is known yet.
        if (!to.includes("//") && !to.endsWith("/")) void navigate({ to });
      },
      isOn: () => preferences.get().shortcuts === "on",
    });
  }, [navigate]);
}

/** A path names the thing a page is about last. */
function idShown(parameters: Record<string, string>): string | undefined {
  return Object.values(parameters).at(-1);
}

function copy(text: string | undefined, said: string): void {
  if (text === undefined) return;
  navigator.clipboard.writeText(text).then(
    () => toast(said),
    () => toast("The browser did not allow copying", "bad"),
  );
}

/** Rows mark the element that stands for them; `j` and `k` walk those. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row-focus]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next]?.focus();
}
