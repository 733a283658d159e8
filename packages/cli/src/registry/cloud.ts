/** @module Declares `cloud`: signing in, and working with what a deployment stores. */
import { visibilities } from "@fettle/contract";
import { noFlags } from "./cli.ts";
import { type ArgumentTable, command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const statusFlags = flags({ ...platformFlags });

export const loginFlags = flags({
  "no-browser": { kind: "boolean", help: "Print the address instead of opening a browser" },
});

export const linkFlags = flags({
  here: { kind: "boolean", help: "Link this folder, not the root of the worktree" },
  remove: { kind: "boolean", help: "Remove the nearest link (with --here: this folder's)" },
});

export const linkArguments = {
  project: { help: "Id or name; else FETTLE_PROJECT, else the newest" },
} as const satisfies ArgumentTable;

export const projectsListFlags = flags({
  org: { kind: "text", value: "id", help: "Only projects of this organization" },
});

const requiredProject = {
  kind: "text",
  value: "id-or-name",
  required: true,
  help: "The project",
} as const;

const projectSettings = flags({
  description: { kind: "text", value: "text", mayBeBlank: true, help: "What it is for" },
  visibility: {
    kind: "choice",
    value: "visibility",
    choices: visibilities,
    help: "Seen by the whole organization, or by those added",
  },
});

export const projectsCreateFlags = flags({
  name: { kind: "text", value: "name", required: true, help: "Its name" },
  ...projectSettings,
  org: { kind: "text", value: "id", help: "Organization to make it in; else your key's or your own" },
});

export const projectsUpdateFlags = flags({
  project: requiredProject,
  name: { kind: "text", value: "name", help: "A new name" },
  ...projectSettings,
});

export const projectsDeleteFlags = flags({ project: requiredProject });

export const cloudCommands = [
  group({
    name: "cloud",
    section: "cloud",
    hosted: true,
    summary: "Sign in, and work with what a deployment stores",
    description: ["Credential flags may stand before or after any subcommand; the one typed last wins."],
  }),
  command({
    name: "cloud login",
    section: "cloud",
    summary: "Sign in with your browser",
    description: [
      "Opens the deployment's approval page, waits up to five minutes for you to approve, and keeps the login in ~/.fettle/auth.json. The address of the deployment is kept with it.",
    ],
    arguments: {},
    flags: loginFlags,
    examples: [
      { command: "fettle cloud login", does: "Sign in to the service on this machine" },
      {
        command: "fettle cloud login --api-url https://fettle.example",
        does: "Sign in to another deployment",
      },
    ],
    load: () => import("../commands/cloud-login.ts"),
  }),
  command({
    name: "cloud logout",
    section: "cloud",
    summary: "Forget the stored login, here and at the service",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud logout", does: "Sign out" }],
    load: () => import("../commands/cloud-logout.ts"),
  }),
  command({
    name: "cloud whoami",
    section: "cloud",
    summary: "Show the account behind the credential in use",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud whoami --api-key sk_...", does: "Whose key is this?" }],
    load: () => import("../commands/cloud-whoami.ts"),
  }),
  command({
    name: "cloud status",
    section: "cloud",
    summary: "Show which credential, deployment and project are in effect",
    description: [
      "Reads local files and the environment only; nothing is sent anywhere. Keys are shown redacted.",
    ],
    arguments: {},
    flags: statusFlags,
    examples: [
      { command: "fettle cloud status", does: "What would the next command use?" },
      {
        command: "fettle cloud status --format json",
        does: "The same for a script; exit 1 when something is wrong",
      },
    ],
    load: () => import("../commands/cloud-status.ts"),
  }),
  command({
    name: "cloud link",
    section: "cloud",
    summary: "Pin this worktree to a project",
    description: [
      "Writes .fettle/project.json at the root of the Git worktree (outside Git: in this folder), so that commands run below it act on that project. The file holds no secret.",
    ],
    arguments: linkArguments,
    flags: linkFlags,
    examples: [
      { command: "fettle cloud link Bookshop", does: "Link to the project named Bookshop" },
      { command: "fettle cloud link --remove", does: "Remove the link" },
    ],
    load: () => import("../commands/cloud-link.ts"),
  }),
  group({
    name: "cloud organizations",
    section: "cloud",
    aliases: ["orgs"],
    summary: "Organizations you belong to",
  }),
  command({
    name: "cloud organizations list",
    section: "cloud",
    summary: "List organizations and their ids",
    description: ["An API key sees only its own organization."],
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud orgs list", does: "Which organizations can I see?" }],
    load: () => import("../commands/cloud-organizations-list.ts"),
  }),
  group({ name: "cloud projects", section: "cloud", summary: "Projects you can see" }),
  command({
    name: "cloud projects list",
    section: "cloud",
    summary: "List projects and their ids",
    arguments: {},
    flags: projectsListFlags,
    examples: [
      { command: "fettle cloud projects list", does: "All projects" },
      { command: "fettle cloud projects list --org org_...", does: "Those of one organization" },
    ],
    load: () => import("../commands/cloud-projects-list.ts"),
  }),
  command({
    name: "cloud projects create",
    section: "cloud",
    summary: "Create a project",
    arguments: {},
    flags: projectsCreateFlags,
    examples: [{ command: 'fettle cloud projects create --name "Book shop"', does: "Make a project" }],
    load: () => import("../commands/cloud-projects-create.ts"),
  }),
  command({
    name: "cloud projects update",
    section: "cloud",
    summary: "Change a project's name, description or visibility",
    description: ["Changes only what is said; a blank --description removes it. Needs project admin."],
    arguments: {},
    flags: projectsUpdateFlags,
    examples: [
      { command: "fettle cloud projects update --project Alpha --name Beta", does: "Rename" },
      {
        command: "fettle cloud projects update --project Alpha --visibility private",
        does: "Hide from the organization",
      },
    ],
    load: () => import("../commands/cloud-projects-update.ts"),
  }),
  command({
    name: "cloud projects delete",
    section: "cloud",
    summary: "Delete a project and everything in it",
    description: ["For good, and at once: servers, clients and access go with it. Needs project admin."],
    arguments: {},
    flags: projectsDeleteFlags,
    examples: [{ command: "fettle cloud projects delete --project proj_...", does: "Delete by id" }],
    load: () => import("../commands/cloud-projects-delete.ts"),
  }),
];
