/** @module Asks before the tab closes on an edit that is not saved. */
import { useEffect } from "react";

/** Other pages of the app lose nothing; the tab's end does. */
export function useLeaveGuard(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isHeld]);
}
