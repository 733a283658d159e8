/** @module Routes, derived from the list of pages. */
import { addressPart } from "@fettle/contract/formats";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { bootstrapQuery, operationOptions, queryClient } from "../api/operation.ts";
import { RowsSkeleton } from "../kit/loading.tsx";
import { isLocal } from "../lib/local.ts";
import { lastPlace } from "../pages/page-context.tsx";
import { addressOf, isBare, pagePath, pages, printedAddresses, tabRoots } from "../pages/pages.ts";
import { NotFound, PageBroke } from "./errors.tsx";
import { onlyView } from "./only-view.ts";
import { Workspace } from "./shells/workspace.tsx";

/** Modules that export a view and nothing else, each named by its page; a folder holds those of one area, where they are many. */
const modules = import.meta.glob<Record<string, ComponentType>>([
  "../routes/**/*.tsx",
  "!../routes/entrance/*.tsx",
  "!../routes/frames/*.tsx",
]);
const views = new Map(
  Object.entries(modules).map(([path, load]) => [path.replace(/^.*\/|\.tsx$/g, ""), load]),
);

/** Leaves for one of the small pages, which are another document. */
function leaveFor(address: string): Promise<never> {
  location.replace(address);
  return new Promise(() => {});
}

const root = createRootRoute({
  component: Workspace,
  notFoundComponent: NotFound,
  beforeLoad: async ({ location: { href } }) => {
    const { setupNeeded, user } = await queryClient.ensureQueryData(bootstrapQuery);
    if (user) return;
    if (setupNeeded) await leaveFor(pagePath("setup", {}));
    await leaveFor(`${pagePath("login", {})}?return=${addressPart(href)}`);
  },
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async () => {
    if (isLocal) {
      const { firstPlace } = await import("../local/sample.ts");
      throw redirect({ ...(await firstPlace()), replace: true });
    }
    const { organizations } = await queryClient.ensureQueryData(bootstrapQuery);
    const { org, pid } = lastPlace();
    // The remembered project may be gone by now; then its organization is the next best place.
    const isThere =
      pid &&
      (await queryClient.ensureQueryData(operationOptions("getProject", { projectId: pid })).then(
        () => true,
        () => false,
      ));
    if (pid && isThere) throw redirect({ to: pagePath("project-home", { pid }), replace: true });
    const organization = organizations.find((each) => each.id === org) ?? organizations[0];
    if (organization) {
      throw redirect({ to: pagePath("organization-home", { org: organization.id }), replace: true });
    }
  },
  component: lazyRouteComponent(() => import("../routes/no-organization.tsx"), "NoOrganization"),
});

const routes = pages
  .filter((page) => !isBare(page))
  .map(({ id, path }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      component: lazyRouteComponent(() => onlyView(views.get(id))),
    }),
  );

const toFirstTab = tabRoots.map(({ path, first }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: ({ params }) => {
      throw redirect({ to: addressOf(first, params), replace: true });
    },
  }),
);

/** There the servers are the project's home. */
const toServers = isLocal
  ? [
      createRoute({
        getParentRoute: () => root,
        path: "/p/$pid",
        beforeLoad: ({ params }) => {
          throw redirect({ to: pagePath("servers", { pid: params.pid }), replace: true });
        },
      }),
    ]
  : [];

const toPrinted = printedAddresses.map(({ path, leadsTo }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: ({ params, search }) => {
      const to = leadsTo(params, search);
      throw to === undefined ? notFound() : redirect({ to, replace: true });
    },
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([start, ...routes, ...toFirstTab, ...toServers, ...toPrinted]),
  defaultPreload: "intent",
  defaultErrorComponent: PageBroke,
  defaultPendingComponent: () => (
    <div className="delay-skeleton mx-auto max-w-5xl px-8 py-20">
      <RowsSkeleton />
    </div>
  ),
  defaultPendingMs: 150,
  // The page scrolls inside `main`, not in the window.
  scrollToTopSelectors: ["#main"],
});
