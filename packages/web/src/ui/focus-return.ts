/** @module Where the focus goes when a layer closes: back to the last thing used in the page itself, however many layers were opened since. */

const layers = "[role=dialog], [role=menu]";
let last: HTMLElement | null = null;

/** A menu opened by mouse never focuses its button, so menus name theirs. */
export function noteUsed(element: Element | null): void {
  if (element instanceof HTMLElement && element !== document.body && !element.closest(layers)) last = element;
}

document.addEventListener("focusin", (event) => noteUsed(event.target as Element));

/**
 * For `onCloseAutoFocus`: the layer's own idea would be a menu item or dialog that is gone by now. It is called a moment after the layer
 * closed, and whatever took the focus meanwhile, such as the next layer, keeps it.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  const isFree = document.activeElement === null || document.activeElement === document.body;
  if (isFree && last?.isConnected) last.focus();
}
