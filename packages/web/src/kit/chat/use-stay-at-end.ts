/** @module Keeps the end of a growing conversation in sight, until one scrolls away from it. */
import { type RefObject, useEffect, useRef } from "react";

/** So near to the end one still reads along. */
const nearPixels = 120;

/** `isThere`: there is something to show; with it the end is shown at first. */
export function useStayAtEnd(isThere: boolean): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The page scrolls inside `main`, not in the window.
    const scroller = document.getElementById("main");
    if (!isThere || !scroller || !content.current) return;
    let readsAlong = true;
    const toEnd = () => {
      if (readsAlong) scroller.scrollTop = scroller.scrollHeight;
    };
    const look = () => {
      readsAlong = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearPixels;
    };
    const watch = new ResizeObserver(toEnd);
    watch.observe(content.current);
    scroller.addEventListener("scroll", look, { passive: true });
    toEnd();
    return () => {
      watch.disconnect();
      scroller.removeEventListener("scroll", look);
    };
  }, [isThere]);
  return content;
}
