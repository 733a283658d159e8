/** @module A button whose menu or panel is fetched by the first who comes near one: the first screen goes without. */
import { cloneElement, type ReactNode, useState } from "react";
import type { Trigger, Wanted } from "./float-props.ts";
import type * as Floats from "./floats.tsx";

let loaded: typeof Floats | undefined;

async function load(): Promise<void> {
  loaded ??= await import("./floats.tsx");
}

/** Only for what is drawn once it is there. */
export function floats(): typeof Floats {
  if (!loaded) throw new Error("What floats was not fetched yet.");
  return loaded;
}

export interface FloatOnDemandProps {
  opens: "menu" | "dialog";
  trigger: Trigger;
  /** The trigger with what it opens. */
  children: (wanted: Wanted) => ReactNode;
}

/** Stays the plain button it began as until it is used: to change it under the pointer or the focus would lose both. */
export function FloatOnDemand({ opens, trigger, children }: FloatOnDemandProps) {
  const [wanted, setWanted] = useState<Wanted | undefined>(loaded && "no");
  if (wanted) return children(wanted);
  const prepare = () => void load().catch(() => {});
  const open = (by: Wanted) =>
    void load().then(
      () => setWanted(by),
      // Shown where every part that could not be fetched is: by the page.
      (cause) =>
        setWanted(() => {
          throw cause;
        }),
    );
  return cloneElement(trigger, {
    "aria-haspopup": opens,
    "aria-expanded": false,
    onPointerEnter: prepare,
    onFocus: prepare,
    // A click without a press is Enter or the space bar.
    onClick: (event) => open(event.detail === 0 ? "by key" : "by pointer"),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown" || opens !== "menu") return;
      event.preventDefault();
      open("by key");
    },
  });
}
