/** @module The row of sibling pages under a title, such as the settings. They are links: each has its own address. */
import { Link } from "@tanstack/react-router";
import { cx } from "../lib/cx.ts";
import type { PageDeclaration } from "./page.ts";
import { addressOf, pages } from "./pages.ts";

export interface PageTabsProps {
  tabs: NonNullable<PageDeclaration["tabs"]>;
  openId: string;
  parameters: Record<string, string>;
  className?: string;
}

/**
 * On a small screen the row is longer than its place; where one is stays in sight. Only the row is moved: after `scrollIntoView`
 * browsers go on from the tab when Tab is pressed, past the link that skips to the content.
 */
function intoSight(tab: HTMLElement | null): void {
  const row = tab?.closest("nav");
  if (!tab || !row) return;
  const middle = (element: Element) => {
    const { left, width } = element.getBoundingClientRect();
    return left + width / 2;
  };
  row.scrollLeft += middle(tab) - middle(row);
}

export function PageTabs({ tabs, openId, parameters, className = "mb-6" }: PageTabsProps) {
  const siblings = pages.filter((page) => page.tabs === tabs);
  return (
    <nav
      aria-label="Sections"
      className={cx("edge-fade overflow-x-auto overflow-y-hidden border-line border-b", className)}
    >
      <ul className="flex gap-5">
        {siblings.map((page) => (
          <li key={page.id}>
            <Link
              ref={page.id === openId ? intoSight : undefined}
              to={addressOf(page, parameters)}
              aria-current={page.id === openId ? "page" : undefined}
              className={cx(
                "inline-flex h-9 items-center whitespace-nowrap border-b-2 text-base focus-visible:-outline-offset-2",
                page.id === openId
                  ? "border-accent font-medium text-text"
                  : "border-transparent text-soft hover:border-line-strong hover:text-text",
              )}
            >
              {page.title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
