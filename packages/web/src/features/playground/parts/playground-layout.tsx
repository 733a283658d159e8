/** @module Conversations on the left, the open one on the right; where there is no room, what is worked on comes first. */
import type { ReactNode } from "react";
import { cx } from "../../../lib/cx.ts";

export interface PlaygroundLayoutProps {
  list: ReactNode;
  /** Without the list where there is no room for both. */
  alone?: boolean;
  children: ReactNode;
}

export function PlaygroundLayout({ list, alone = false, children }: PlaygroundLayoutProps) {
  return (
    <div className="grid gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <div className={cx("max-lg:order-last", alone && "max-lg:hidden")}>
        <div className="lg:sticky lg:top-16">{list}</div>
      </div>
      <div className="stack mx-auto w-full max-w-4xl content-start gap-4">{children}</div>
    </div>
  );
}
