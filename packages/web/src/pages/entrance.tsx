/** @module The frame of the bare pages: the mark, one card, nothing else. */
import type { Bootstrap } from "@fettle/contract/people";
import { type ReactNode, useEffect } from "react";
import { Logo } from "../ui/logo.tsx";
import { type BarePageId, pageById } from "./pages.ts";

export interface BarePageProps {
  bootstrap: Bootstrap;
  /** The secret of the link that led here, already out of the address bar. */
  token: string | null;
}

export interface EntranceProps {
  page: BarePageId;
  title?: string;
  about?: ReactNode;
  /** Below the card, such as another way in. */
  below?: ReactNode;
  children?: ReactNode;
}

export function Entrance({ page, title, about, below, children }: EntranceProps) {
  const heading = title ?? pageById(page).title;
  useEffect(() => {
    document.title = `${heading} · Fettle`;
  }, [heading]);
  return (
    <main
      data-testid="app"
      data-mode="bare"
      data-ready="true"
      className="mx-auto flex min-h-dvh w-full max-w-[26rem] flex-col justify-center px-4 py-10"
    >
      <div className="mb-5 flex items-center gap-2.5 px-1 font-semibold text-lg tracking-[-0.01em]">
        <Logo className="size-7" />
        Fettle
      </div>
      <div className="rounded-panel border border-line bg-surface p-6 shadow-float">
        <h1 tabIndex={-1} className="font-semibold text-xl tracking-[-0.012em]">
          {heading}
        </h1>
        {about && <div className="mt-1 text-base text-soft">{about}</div>}
        {children && <div className="mt-5 grid gap-5">{children}</div>}
      </div>
      {below && <div className="mt-4 px-1 text-soft text-sm">{below}</div>}
    </main>
  );
}
