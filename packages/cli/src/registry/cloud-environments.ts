/** @module Declares `cloud environments`: what suites and journeys run against. */
import { command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { documentFlags, platformFlags } from "./shared-flags.ts";

const theEnvironment = flags({
  environment: { kind: "text", value: "id-or-name", required: true, help: "The environment" },
});
const revision = flags({
  "expected-revision": {
    kind: "integer",
    value: "n",
    min: 0,
    required: true,
    help: "The revision you last read; one changed since is left alone",
  },
});
const description = {
  kind: "text",
  value: "text",
  mayBeBlank: true,
  help: "What it is for; blank removes it",
} as const;
const facets = flags({
  name: { kind: "text", value: "name", help: "Its name" },
  "host-id": { kind: "text", value: "id", help: "The client it runs as" },
  description,
  model: { kind: "text", value: "id", help: "A model instead of the client's" },
  "sandbox-image": { kind: "text", value: "id", help: "A shared sandbox image" },
});

export const environmentsListFlags = flags({
  "include-archived": { kind: "boolean", help: "Also archived ones" },
  ...platformFlags,
});
export const environmentFlags = flags({ ...theEnvironment, ...platformFlags });
export const environmentsCreateFlags = flags({ ...facets, ...documentFlags, ...platformFlags });
export const environmentsUpdateFlags = flags({
  ...theEnvironment,
  ...revision,
  ...facets,
  "clear-model": { kind: "boolean", help: "Use the client's model again" },
  ...documentFlags,
  ...platformFlags,
});
export const environmentsRevisionFlags = flags({ ...theEnvironment, ...revision, ...platformFlags });
export const environmentsEnsureFlags = flags({
  host: { kind: "text", value: "id-or-name", required: true, help: "The client it runs as" },
  "server-group": { kind: "text", value: "id", help: "Servers to pin; else the client's own" },
  model: { kind: "text", value: "id", help: "A model instead of the client's" },
  skill: { kind: "text", value: "id", repeats: true, variadic: true, help: "Skills to pin" },
  ...platformFlags,
});
export const environmentsNameFlags = flags({
  environment: { kind: "text", value: "id", required: true, help: "The ad-hoc environment" },
  name: { kind: "text", value: "name", required: true, help: "Its name from now on" },
  ...revision,
  description,
  ...platformFlags,
});

export const cloudEnvironmentsCommands = [
  group({
    name: "cloud environments",
    section: "cloud",
    summary: "What suites and journeys run against",
    description: ["Reads need membership of the project; writes need project admin, except ensure-adhoc."],
  }),
  command({
    name: "cloud environments list",
    section: "cloud",
    summary: "List a project's named environments",
    arguments: {},
    flags: environmentsListFlags,
    examples: [{ command: "fettle cloud environments list --include-archived", does: "All of them" }],
    load: () => import("../commands/cloud-environments-list.ts"),
  }),
  command({
    name: "cloud environments get",
    section: "cloud",
    summary: "Show an environment and its revision",
    arguments: {},
    flags: environmentFlags,
    examples: [{ command: "fettle cloud environments get --environment Nightly", does: "By id or name" }],
    load: () => import("../commands/cloud-environments-get.ts"),
  }),
  command({
    name: "cloud environments resolve",
    section: "cloud",
    summary: "Show what a run started now would execute with",
    description: ["Fails with CONFLICT and the reason in details.code when it cannot run."],
    arguments: {},
    flags: environmentFlags,
    examples: [
      { command: "fettle cloud environments resolve --environment Nightly", does: "Config and servers" },
    ],
    load: () => import("../commands/cloud-environments-resolve.ts"),
  }),
  command({
    name: "cloud environments create",
    section: "cloud",
    summary: "Create a named environment",
    description: [
      "Flags win over the document, which may also hold serverAttachmentId, skillSelection and pluginVersionIds.",
    ],
    arguments: {},
    flags: environmentsCreateFlags,
    examples: [
      { command: "fettle cloud environments create --name Nightly --host-id clt_...", does: "As one client" },
    ],
    load: () => import("../commands/cloud-environments-create.ts"),
  }),
  command({
    name: "cloud environments update",
    section: "cloud",
    summary: "Change an environment at the revision you last read",
    description: ["Changes only what is said; null in the document clears a pin."],
    arguments: {},
    flags: environmentsUpdateFlags,
    examples: [
      {
        command: "fettle cloud environments get --environment Nightly",
        does: "Read the revision to send with it",
      },
    ],
    load: () => import("../commands/cloud-environments-update.ts"),
  }),
  command({
    name: "cloud environments archive",
    section: "cloud",
    summary: "Archive an environment and free its name",
    arguments: {},
    flags: environmentsRevisionFlags,
    examples: [
      {
        command: "fettle cloud environments archive --environment A --expected-revision 3",
        does: "Archive",
      },
    ],
    load: () => import("../commands/cloud-environments-archive.ts"),
  }),
  command({
    name: "cloud environments restore",
    section: "cloud",
    summary: "Bring an archived environment back",
    arguments: {},
    flags: environmentsRevisionFlags,
    examples: [
      {
        command: "fettle cloud environments restore --environment A --expected-revision 4",
        does: "Restore",
      },
    ],
    load: () => import("../commands/cloud-environments-restore.ts"),
  }),
  command({
    name: "cloud environments ensure-adhoc",
    section: "cloud",
    summary: "Get or make the unnamed environment of exactly this stack",
    description: ["The same stack is always the same environment. Membership of the project is enough."],
    arguments: {},
    flags: environmentsEnsureFlags,
    examples: [
      {
        command: "fettle cloud environments ensure-adhoc --host Claude --model fettle/rules-1",
        does: "Compose",
      },
    ],
    load: () => import("../commands/cloud-environments-ensure-adhoc.ts"),
  }),
  command({
    name: "cloud environments name",
    section: "cloud",
    summary: "Give an ad-hoc environment a name; it keeps its id and runs",
    arguments: {},
    flags: environmentsNameFlags,
    examples: [
      {
        command: "fettle cloud environments get --environment env_...",
        does: "Read the revision to send with it",
      },
    ],
    load: () => import("../commands/cloud-environments-name.ts"),
  }),
];
