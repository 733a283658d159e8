/** @module Settings of a project. */
import { pagesOf } from "../page.ts";

export const projectSettingsPages = pagesOf("project", [
  {
    id: "project-general",
    path: "/p/$pid/settings/general",
    title: "General",
    about: "Name, description and visibility of the project",
    reads: ["getProject"],
    terminal: { operation: "updateProject", with: "--name {name}" },
    tabs: "project-settings",
    navigation: { label: "Settings", order: 9 },
  },
  {
    id: "project-members",
    path: "/p/$pid/settings/members",
    title: "Access",
    about: "Who may see and change the project",
    reads: ["listProjectMembers", "listMembers"],
    action: {
      label: "Give access",
      operation: "setProjectMember",
      needs: "admin",
      refusal: "Project admins can give access.",
    },
    empty: {
      title: "No one has access of their own",
      text: "Organization members already see a public project. Grants here add admins, editors and guests.",
    },
    terminal: { none: "Project access is managed in the browser only." },
    tabs: "project-settings",
  },
  {
    id: "project-notices",
    path: "/p/$pid/settings/notices",
    title: "Notices",
    about: "Who is told what happens",
    reads: ["listWebhooks", "listWebhookDeliveries", "getNoticeLetters"],
    action: {
      label: "Add webhook",
      operation: "createWebhook",
      needs: "admin",
      refusal: "Project admins can add webhooks.",
    },
    empty: {
      title: "No webhooks yet",
      text: "A webhook tells your own systems what happens here: signed, tried again, each event once.",
    },
    terminal: { operation: "listWebhooks" },
    tabs: "project-settings",
  },
  {
    id: "project-history",
    path: "/p/$pid/settings/history",
    title: "History",
    about: "How long server history and runs are kept",
    reads: ["getProject", "getHistoryRetention"],
    terminal: { operation: "getHistoryRetention" },
    tabs: "project-settings",
  },
  {
    id: "project-danger",
    path: "/p/$pid/settings/danger",
    title: "Danger",
    about: "Delete the project",
    reads: ["getProject"],
    terminal: { operation: "deleteProject" },
    tabs: "project-settings",
  },
]);
