/** @module Routes, derived from the page manifest: a page without a component, or a component without a page, does not compile. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { bootstrapQuery, projectQuery, queryClient } from "../api/queries.ts";
import { RowsSkeleton } from "../kit/loading.tsx";
import { NotFound, PageBroke } from "./errors.tsx";
import { lastPlace } from "./page-context.tsx";
import { type AppPageId, type PageDeclaration, pagePath, pages } from "./pages.ts";
import { Workspace } from "./shells/workspace.tsx";

const components: Record<AppPageId, ReturnType<typeof lazyRouteComponent>> = {
  "organization-home": lazyRouteComponent(
    () => import("../routes/organization-home.tsx"),
    "OrganizationHome",
  ),
  "organization-general": lazyRouteComponent(
    () => import("../routes/organization-general.tsx"),
    "OrganizationGeneral",
  ),
  "organization-members": lazyRouteComponent(
    () => import("../routes/organization-members.tsx"),
    "OrganizationMembers",
  ),
  "project-home": lazyRouteComponent(() => import("../routes/project-home.tsx"), "ProjectHome"),
  servers: lazyRouteComponent(() => import("../routes/servers.tsx"), "Servers"),
  "server-overview": lazyRouteComponent(() => import("../routes/server-overview.tsx"), "ServerOverview"),
  "server-tools": lazyRouteComponent(() => import("../routes/server-tools.tsx"), "ServerTools"),
  "server-resources": lazyRouteComponent(() => import("../routes/server-resources.tsx"), "ServerResources"),
  "server-compat": lazyRouteComponent(() => import("../routes/server-compat.tsx"), "ServerCompatPage"),
  "server-prompts": lazyRouteComponent(() => import("../routes/server-prompts.tsx"), "ServerPrompts"),
  "server-traffic": lazyRouteComponent(() => import("../routes/server-traffic.tsx"), "ServerTraffic"),
  "server-settings": lazyRouteComponent(() => import("../routes/server-settings.tsx"), "ServerSettingsPage"),
  conformance: lazyRouteComponent(() => import("../routes/conformance.tsx"), "Conformance"),
  "conformance-run": lazyRouteComponent(() => import("../routes/conformance-run.tsx"), "ConformanceRunPage"),
  "server-groups": lazyRouteComponent(() => import("../routes/server-groups.tsx"), "ServerGroups"),
  "server-group": lazyRouteComponent(() => import("../routes/server-group.tsx"), "ServerGroupPage"),
  skills: lazyRouteComponent(() => import("../routes/skills.tsx"), "Skills"),
  skill: lazyRouteComponent(() => import("../routes/skill.tsx"), "SkillPage"),
  "skill-edit": lazyRouteComponent(() => import("../routes/skill-edit.tsx"), "SkillEdit"),
  plugins: lazyRouteComponent(() => import("../routes/plugins.tsx"), "Plugins"),
  plugin: lazyRouteComponent(() => import("../routes/plugin.tsx"), "PluginPage"),
  clients: lazyRouteComponent(() => import("../routes/clients.tsx"), "Clients"),
  "client-compare": lazyRouteComponent(() => import("../routes/client-compare.tsx"), "ClientCompare"),
  "client-settings": lazyRouteComponent(() => import("../routes/client-settings.tsx"), "ClientSettingsPage"),
  "client-servers": lazyRouteComponent(() => import("../routes/client-servers.tsx"), "ClientServersPage"),
  environments: lazyRouteComponent(() => import("../routes/environments.tsx"), "Environments"),
  "environment-settings": lazyRouteComponent(
    () => import("../routes/environment-settings.tsx"),
    "EnvironmentSettingsPage",
  ),
  "environment-resolve": lazyRouteComponent(
    () => import("../routes/environment-resolve.tsx"),
    "EnvironmentResolve",
  ),
  tunnels: lazyRouteComponent(() => import("../routes/tunnels.tsx"), "Tunnels"),
  "project-general": lazyRouteComponent(() => import("../routes/project-general.tsx"), "ProjectGeneral"),
  "project-members": lazyRouteComponent(() => import("../routes/project-members.tsx"), "ProjectMembers"),
  "project-danger": lazyRouteComponent(() => import("../routes/project-danger.tsx"), "ProjectDanger"),
  "account-profile": lazyRouteComponent(() => import("../routes/account-profile.tsx"), "AccountProfile"),
  "account-keys": lazyRouteComponent(() => import("../routes/account-keys.tsx"), "AccountKeys"),
  "account-devices": lazyRouteComponent(() => import("../routes/account-devices.tsx"), "AccountDevices"),
  "account-appearance": lazyRouteComponent(
    () => import("../routes/account-appearance.tsx"),
    "AccountAppearance",
  ),
};

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
    await leaveFor(`${pagePath("login", {})}?return=${encodeURIComponent(href)}`);
  },
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async () => {
    const { organizations } = await queryClient.ensureQueryData(bootstrapQuery);
    const { org, pid } = lastPlace();
    // The remembered project may be gone by now; then its organization is the next best place.
    const isThere =
      pid &&
      (await queryClient.ensureQueryData(projectQuery(pid)).then(
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

const declared: readonly PageDeclaration[] = pages;
const routes = declared
  .filter((page) => page.entry === "app")
  .map((page) =>
    createRoute({
      getParentRoute: () => root,
      path: page.path,
      // The manifest's own ids made the table above, so each of its app pages has an entry.
      component: components[page.id as AppPageId],
    }),
  );

export const router = createRouter({
  routeTree: root.addChildren([start, ...routes]),
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
