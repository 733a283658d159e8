/** @module Stands in for Radix's scroll lock: nothing here is modal in that way, and what would lock writes style elements. */
import type { ReactNode } from "react";

export function RemoveScroll({ children }: { children: ReactNode }): ReactNode {
  return children;
}
