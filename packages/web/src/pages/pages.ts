/** @module Every page of the web app, as one list. Router, navigation, palette, key sheet, titles, serving and tests all read it. */
import { addressPart, decodedPart, groupBy, must } from "@fettle/contract/formats";
import { isLocal, localPages } from "../lib/local.ts";
import { accountPages } from "./entries/account.ts";
import { bundlesPages } from "./entries/bundles.ts";
import { directoriesPages } from "./entries/directories.ts";
import { entrancePages } from "./entries/entrance.ts";
import { environmentsPages } from "./entries/environments.ts";
import { evalsPages } from "./entries/evals.ts";
import { findingsPages } from "./entries/findings.ts";
import { imagesPages } from "./entries/images.ts";
import { organizationPages } from "./entries/organization.ts";
import { playgroundPages } from "./entries/playground.ts";
import { projectSettingsPages } from "./entries/project-settings.ts";
import { serversPages } from "./entries/servers.ts";
import { swarmsPages } from "./entries/swarms.ts";
import { userTestingPages } from "./entries/user-testing.ts";
import type { PageDeclaration } from "./page.ts";

const appPages = [
  ...organizationPages,
  ...serversPages,
  ...directoriesPages,
  ...playgroundPages,
  ...bundlesPages,
  ...imagesPages,
  ...environmentsPages,
  ...evalsPages,
  ...userTestingPages,
  ...findingsPages,
  ...swarmsPages,
  ...projectSettingsPages,
  ...accountPages,
] as const;
const all = [...entrancePages, ...appPages] as const;

type Page = (typeof all)[number];
export type PageId = Page["id"];
export type AppPageId = (typeof appPages)[number]["id"];
export type BarePageId = (typeof entrancePages)[number]["id"];

type NamesIn<Path extends string> = Path extends `${string}$${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | NamesIn<`/${Tail}`>
    : Rest
  : never;

/** The parameters a page's path takes, by name. */
export type PageParameters<Id extends PageId> = Record<NamesIn<Extract<Page, { id: Id }>["path"]>, string>;

/** On one's own machine only those whose reads are answered there. */
export const pages: readonly PageDeclaration[] = isLocal ? all.filter(({ id }) => localPages.has(id)) : all;

const byId = new Map<string, PageDeclaration>(all.map((page) => [page.id, page]));

export function pageById(id: PageId): PageDeclaration {
  return must(byId.get(id), "a page for each id");
}

/** Whether the page lives in the small second document. */
export function isBare(page: PageDeclaration): boolean {
  return page.area === "entrance";
}

/** The names of the parameters in a page's path, in their order. */
export function parametersOf({ path }: Pick<PageDeclaration, "path">): string[] {
  return path.match(/(?<=\$)\w+/g) ?? [];
}

/**
 * The address of a page.
 *
 * @example
 * pagePath("project-home", { pid: "prj_1" }) // "/p/prj_1"
 */
export function pagePath<Id extends PageId>(id: Id, parameters: PageParameters<Id>): string {
  return addressOf(pageById(id), parameters);
}

/** The same for a page known only at run time. */
export function addressOf(page: Pick<PageDeclaration, "path">, parameters: Record<string, string>): string {
  return page.path.replace(/\$(\w+)/g, (_, name: string) => addressPart(parameters[name] ?? ""));
}

/** The addresses above a row of tabs, each with the tab it leads to: whoever cuts off the last word of an address arrives somewhere. */
export const tabRoots: readonly { path: string; first: PageDeclaration }[] = [
  ...groupBy(
    pages.filter(({ tabs }) => tabs),
    ({ tabs }) => tabs,
  ).values(),
].map(([first]) => ({ path: first.path.replace(/\/[^/]+$/, ""), first }));

/**
 * Addresses that the service and the command line print, and the page each leads to: older than the pages, and kept whatever
 * becomes of these. What its path does not name stands in the query.
 */
export const printedAddresses: readonly {
  path: string;
  leadsTo: (path: Record<string, string>, query: Record<string, unknown>) => string | undefined;
}[] = [
  {
    path: "/evals/suite/$suid/runs/$erid",
    leadsTo: ({ erid = "" }, { project }) =>
      typeof project === "string" ? pagePath("eval-run", { pid: project, erid }) : undefined,
  },
];

/** The page of an address, with its parameters; undefined when no page has it. */
export function matchPage(
  pathname: string,
): { page: PageDeclaration; parameters: Record<string, string> } | undefined {
  const given = pathname.replace(/\/+$/, "").split("/");
  for (const page of pages) {
    const wanted = page.path.split("/");
    if (wanted.length !== given.length) continue;
    const parameters: Record<string, string> = {};
    const fits = wanted.every((part, index) => {
      const value = given[index] ?? "";
      if (!part.startsWith("$")) return part === value;
      parameters[part.slice(1)] = decodedPart(value);
      return value !== "";
    });
    if (fits) return { page, parameters };
  }
  return undefined;
}
