/** @module What is typed between the key that opens the palette and the palette being there: kept for it, and kept from the page. */

export interface TypedAhead {
  text: string;
  /** Enter was the last key. */
  isEntered: boolean;
}

/** A palette that has not come by then does not come: the keys are the page's again. */
const longestMs = 5_000;

let held: (TypedAhead & { release(): void }) | undefined;

export function holdTyping(): void {
  if (held) return;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!held || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") held.isEntered = true;
    else if (event.key === "Backspace") held.text = held.text.slice(0, -1);
    else if (event.key.length === 1) held.text += event.key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", onKeyDown, { capture: true });
  const timer = setTimeout(takeTyped, longestMs);
  held = {
    text: "",
    isEntered: false,
    release: () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", onKeyDown, { capture: true });
    },
  };
}

/** Lets go of the keys. */
export function takeTyped(): TypedAhead {
  const taken = held ?? { text: "", isEntered: false };
  held?.release();
  held = undefined;
  return { text: taken.text, isEntered: taken.isEntered };
}
