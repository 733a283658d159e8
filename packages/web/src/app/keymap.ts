/** @module Every key the app listens to, as data: the handler acts on this list and the key sheet shows it. */
import { pages } from "../pages/pages.ts";

export type KeyAction =
  | "palette"
  | "filter"
  | "next-row"
  | "previous-row"
  | "primary-action"
  | "copy-id"
  | "copy-link"
  | "copy-command"
  | "toggle-sidebar"
  | "keys";

export interface KeyBinding {
  action: KeyAction;
  /** As `KeyboardEvent.key`, after the modifier. */
  key: string;
  /** Ctrl, or Cmd on a Mac. Works even while typing. */
  modifier?: true;
  shift?: true;
  about: string;
}

export const keyBindings: readonly KeyBinding[] = [
  { action: "palette", key: "k", modifier: true, about: "Find a page, server, tool, run or command" },
  { action: "filter", key: "/", about: "Filter this page" },
  { action: "next-row", key: "j", about: "Next row" },
  { action: "previous-row", key: "k", about: "Previous row" },
  { action: "primary-action", key: "n", about: "The page's main action" },
  { action: "copy-id", key: "y", about: "Copy the id of what this page shows" },
  { action: "copy-link", key: "Y", shift: true, about: "Copy a link to this page" },
  { action: "copy-command", key: "c", about: "Copy the same as a terminal command" },
  { action: "toggle-sidebar", key: "[", about: "Show or hide the side bar" },
  { action: "keys", key: "?", shift: true, about: "Show these keys" },
];

/** The pages that `g` and one more key lead to. */
export const jumps: ReadonlyMap<string, string> = new Map(
  pages.flatMap(({ id, jump }) => (jump ? [[jump, id] as const] : [])),
);

const jumpPatience = 1200;

export interface KeyListener {
  onAction: (action: KeyAction) => void;
  /** A page id out of `jumps`. */
  onJump: (pageId: string) => void;
  /** Single keys are off when this says so; the palette's stays. */
  isOn: () => boolean;
}

/** Listens on the document until the returned function is called. */
export function listenToKeys({ onAction, onJump, isOn }: KeyListener): () => void {
  let jumpUntil = 0;
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const modifier = event.ctrlKey || event.metaKey;
    const binding = keyBindings.find(
      (each) =>
        each.key === (modifier ? event.key.toLowerCase() : event.key) &&
        (each.modifier ?? false) === modifier,
    );
    if (binding?.modifier) {
      event.preventDefault();
      onAction(binding.action);
      return;
    }
    if (modifier || event.altKey || !isOn() || isTyping(event.target) || isLayerOpen()) return;
    if (event.timeStamp < jumpUntil) {
      jumpUntil = 0;
      const pageId = jumps.get(event.key);
      if (pageId) {
        event.preventDefault();
        onJump(pageId);
        return;
      }
    }
    if (event.key === "g") {
      jumpUntil = event.timeStamp + jumpPatience;
      return;
    }
    if (!binding) return;
    event.preventDefault();
    onAction(binding.action);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input:not([type=checkbox], [type=radio]), textarea, select") !== null)
  );
}

/** A dialog or menu owns the keyboard while it is open. */
function isLayerOpen(): boolean {
  return document.querySelector("[role=dialog][data-state=open], [role=menu][data-state=open]") !== null;
}

export const modifierName = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";
