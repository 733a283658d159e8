/** @module Links between pages, by id: a link to a page that does not exist, or without its parameters, does not compile. */
import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { type AppPageId, type PageParameters, pagePath } from "./pages.ts";

export type PageLinkProps<Id extends AppPageId> = Omit<ComponentProps<"a">, "href"> & {
  page: Id;
  params: PageParameters<Id>;
  /** Opens the page with its main action started. */
  act?: boolean;
  search?: Record<string, string>;
};

export function PageLink<Id extends AppPageId>({
  page,
  params,
  act,
  search = {},
  ...rest
}: PageLinkProps<Id>) {
  // The path is filled here, so the router sees a plain address and needs no parameters of its own.
  return <Link to={pagePath(page, params)} search={act ? { do: "new" } : search} {...rest} />;
}
