/** @module Pages of an organization. */
import { pagesOf } from "../page.ts";

export const organizationPages = pagesOf("organization", [
  {
    id: "organization-home",
    path: "/o/$org",
    title: "Projects",
    about: "Every project of the organization you can see",
    reads: ["listProjects"],
    action: {
      label: "New project",
      operation: "createProject",
      needs: "member",
      refusal: "Guests cannot make projects; a member, admin or owner can.",
    },
    empty: {
      title: "No projects yet",
      text: "A project holds MCP servers and everything learned about them: checks, evals, findings.",
    },
    jump: "o",
    terminal: { operation: "listProjects", with: "--org {org}" },
    navigation: { label: "Projects", order: 1 },
  },
  {
    id: "organization-general",
    path: "/o/$org/settings/general",
    title: "General",
    about: "Name of the organization",
    reads: [],
    terminal: { operation: "listOrganizations" },
    tabs: "organization-settings",
    navigation: { label: "Settings", order: 3 },
  },
  {
    id: "organization-members",
    path: "/o/$org/settings/members",
    title: "Members",
    about: "People of the organization, invitations and roles",
    reads: ["listMembers", "listInvitations"],
    action: {
      label: "Invite",
      operation: "createInvitation",
      needs: "admin",
      refusal: "Admins and owners can invite people.",
    },
    empty: {
      title: "No pending invitations",
      text: "Invite someone by email; they get a link that works once.",
    },
    jump: "m",
    terminal: { none: "Members and invitations are managed in the browser only." },
    tabs: "organization-settings",
    navigation: { label: "Members", order: 2 },
  },
  {
    id: "organization-models",
    path: "/o/$org/settings/models",
    title: "Models",
    about: "Providers of models with their keys, the daily limit, and what was spent",
    reads: ["listModelProviders", "getModelSpend"],
    action: {
      label: "Add provider",
      operation: "setModelProvider",
      needs: "admin",
      refusal: "Admins and owners can set up providers of models.",
    },
    empty: {
      title: "No providers yet",
      text: "Models come from a provider: add one with its key, or use the built-in fettle/rules-1, which needs none.",
    },
    terminal: { commands: ["fettle cloud organizations spend --org {org}"] },
    tabs: "organization-settings",
  },
  {
    id: "organization-audit",
    path: "/o/$org/settings/audit",
    title: "Audit log",
    about: "Who did what in the organization, when and from where",
    reads: ["listAuditLog", "listMembers"],
    terminal: { commands: ["fettle cloud organizations audit --org {org}"] },
    tabs: "organization-settings",
  },
]);
