/** @module `cloud`: signing in, and working with what a deployment stores. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { command, group } from "../../program/command.ts";
import { noFlags } from "../../program/shared-flags.ts";
import { cloudConformanceCommands } from "../conformance/hosted-runs.ts";
import { cloudAgentCommands } from "./agent.ts";
import { cloudAuditCommands } from "./audit.ts";
import { cloudClientsCommands } from "./clients.ts";
import { cloudEnvironmentsCommands } from "./environments.ts";
import { cloudEvalCommands } from "./eval/index.ts";
import { linkArguments, linkFlags, loginFlags, statusFlags, tunnelArguments, tunnelFlags } from "./flags.ts";
import { cloudImagesCommands } from "./images.ts";
import { cloudPluginsCommands } from "./plugins.ts";
import { cloudProjectsCommands } from "./projects.ts";
import { cloudSavedCallsCommands } from "./saved-calls.ts";
import { cloudScenariosCommands } from "./scenarios.ts";
import { cloudServerGroupsCommands } from "./server-groups.ts";
import { cloudServerHistoryCommands } from "./server-history.ts";
import { cloudServerScheduleCommands } from "./server-schedule.ts";
import { cloudServersCommands } from "./servers.ts";
import { cloudSessionsCommands } from "./sessions/sessions.ts";
import { cloudSkillsCommands } from "./skills.ts";
import { cloudSpendCommands } from "./spend.ts";
import { cloudSwarmsCommands } from "./swarms/index.ts";
import { cloudUserTestingCommands } from "./user-testing.ts";
import { cloudWebhooksCommands } from "./webhooks.ts";

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
    load: () => import("./login.ts"),
  }),
  command({
    name: "cloud logout",
    section: "cloud",
    summary: "Forget the stored login, here and at the service",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud logout", does: "Sign out" }],
    load: () => import("./logout.ts"),
  }),
  command({
    name: "cloud whoami",
    section: "cloud",
    operations: ["getMe"],
    summary: "Show the account behind the credential in use",
    arguments: {},
    flags: noFlags,
    examples: [{ command: "fettle cloud whoami --api-key sk_...", does: "Whose key is this?" }],
    load: () => import("./whoami.ts"),
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
    load: () => import("./status.ts"),
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
    load: () => import("./link.ts"),
  }),
  group({
    name: "cloud organizations",
    section: "cloud",
    aliases: ["orgs"],
    summary: "Organizations you belong to",
  }),
  operationCommand({
    operation: "listOrganizations",
    name: "cloud organizations list",
    summary: "List organizations and their ids",
    description: ["An API key sees only its own organization."],
    asks: "account",
    examples: { "Which organizations can I see?": "fettle cloud orgs list" },
    shows: {
      noun: "organization",
      table: { ID: "id", NAME: "name", PLAN: ({ plan }) => plan ?? "-", ROLE: ({ myRole }) => myRole ?? "-" },
      shrinks: ["NAME"],
    },
    next: ({ items: [first] }) => first && `fettle cloud projects list --org ${first.id}`,
  }),
  ...cloudAuditCommands,
  ...cloudSpendCommands,
  ...cloudProjectsCommands,
  ...cloudWebhooksCommands,
  ...cloudServersCommands,
  ...cloudServerHistoryCommands,
  ...cloudServerScheduleCommands,
  ...cloudSavedCallsCommands,
  command({
    name: "cloud tunnel",
    section: "cloud",
    operations: ["createTunnel", "closeTunnel"],
    summary: "Let the service reach an MCP server on this machine",
    description: [
      "Opens a tunnel through the service, registers it as a server of the project, and stays until Ctrl-C. The address holds a secret: whoever has it can use the server. Run again, the address keeps its name, gets a new secret, and the old one is refused.",
      "A command is run here without a shell: one process for each session, at most eight, and one for callers without sessions. While the tunnel is down, calls fail at once. Exits 0 after Ctrl-C, 1 with TUNNEL_CLOSED when another run took over, the tunnel was closed, or the key or login that opened it ended.",
    ],
    arguments: tunnelArguments,
    flags: tunnelFlags,
    examples: [
      { command: "fettle cloud tunnel http://localhost:3001/mcp --server dev", does: "A server on HTTP" },
      { command: "fettle cloud tunnel --server dev -- node server.js --verbose", does: "A server on stdio" },
    ],
    load: () => import("./tunnel.ts"),
  }),
  ...cloudClientsCommands,
  ...cloudEnvironmentsCommands,
  ...cloudConformanceCommands,
  ...cloudServerGroupsCommands,
  ...cloudImagesCommands,
  ...cloudSkillsCommands,
  ...cloudEvalCommands,
  ...cloudAgentCommands,
  ...cloudSessionsCommands,
  ...cloudScenariosCommands,
  ...cloudUserTestingCommands,
  ...cloudSwarmsCommands,
  ...cloudPluginsCommands,
];
