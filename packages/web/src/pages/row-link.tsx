/** @module The name of a row, which is a link to its page: the whole row takes the click. */
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { PageLink, type PageLinkProps } from "./page-link.tsx";
import type { AppPageId } from "./pages.ts";

export interface RowLinkProps<Id extends AppPageId> extends Pick<PageLinkProps<Id>, "page" | "params"> {
  children: ReactNode;
  icon?: LucideIcon;
  /** In place of an icon. */
  picture?: ReactNode;
  /** Below the name. */
  note?: ReactNode;
  /** Beside the name. */
  chip?: ReactNode;
}

export function RowLink<Id extends AppPageId>(props: RowLinkProps<Id>) {
  const { page, params, children, icon: Icon, picture, note, chip } = props;
  return (
    <span className="flex items-center gap-3">
      {Icon && (
        <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-line bg-sunken text-faint max-sm:hidden">
          <Icon aria-hidden="true" className="size-4" />
        </span>
      )}
      {picture}
      <span className="grid min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <PageLink
            page={page}
            params={params}
            data-row-focus=""
            className="break-words rounded-[4px] font-medium after:absolute after:inset-0"
          >
            {children}
          </PageLink>
          {chip}
        </span>
        {note && <span className="line-clamp-2 max-w-96 break-words text-faint text-sm">{note}</span>}
      </span>
    </span>
  );
}
