/** @module `cloud environments`: what suites and journeys run against. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { style, text } from "../../output/text.ts";
import { group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

const environment = {
  parameter: "environmentId",
  find: "environment",
  value: "id-or-name",
  help: "The environment",
} as const;
const revision = {
  field: "expectedRevision",
  value: "n",
  help: "The revision you last read; one changed since is left alone",
} as const;
const description = {
  field: "description",
  value: "text",
  help: "What it is for; blank removes it",
} as const;
const model = { field: "modelId", value: "id", help: "A model instead of the client's" } as const;
const facets = {
  name: { field: "name", help: "Its name" },
  "host-id": { field: "hostId", value: "id", help: "The client it runs as" },
  description,
  model,
  "sandbox-image": {
    field: "sandboxImageId",
    find: "shared image",
    value: "id-or-name",
    help: "A shared sandbox image",
  },
} as const;

const skillFlags = flags({
  skill: { kind: "text", value: "id", repeats: true, variadic: true, help: "Skills to pin" },
});

export const cloudEnvironmentsCommands = [
  group({
    name: "cloud environments",
    section: "cloud",
    summary: "What suites and journeys run against",
    description: ["Reads need membership of the project; writes need project admin, except ensure-adhoc."],
  }),
  operationCommand({
    operation: "listEnvironments",
    name: "cloud environments list",
    summary: "List a project's named environments",
    flags: { "include-archived": { field: "includeArchived", help: "Also archived ones" } },
    examples: { "All of them": "fettle cloud environments list --include-archived" },
    shows: {
      noun: "environment",
      table: {
        ID: "id",
        NAME: "name",
        REVISION: "revision",
        STATE: ({ archived }) => (archived ? style.dim("archived") : "live"),
      },
      shrinks: ["NAME"],
    },
  }),
  operationCommand({
    operation: "getEnvironment",
    name: "cloud environments get",
    summary: "Show an environment and its revision",
    flags: { environment },
    examples: { "By id or name": "fettle cloud environments get --environment Nightly" },
    shows: "outline",
  }),
  operationCommand({
    operation: "resolveEnvironment",
    name: "cloud environments resolve",
    summary: "Show what a run started now would execute with",
    description: ["Fails with CONFLICT and the reason in details.code when it cannot run."],
    flags: { environment },
    examples: { "Config and servers": "fettle cloud environments resolve --environment Nightly" },
    shows: "outline",
  }),
  operationCommand({
    operation: "createEnvironment",
    name: "cloud environments create",
    summary: "Create a named environment",
    description: [
      "Flags win over the document, which may also hold serverAttachmentId, skillSelection and pluginVersionIds.",
    ],
    flags: facets,
    document: "whole body",
    examples: { "As one client": "fettle cloud environments create --name Nightly --host-id clt_..." },
    shows: { done: "Created" },
    next: ({ id }) => `fettle cloud environments resolve --environment ${id}`,
  }),
  operationCommand({
    operation: "updateEnvironment",
    name: "cloud environments update",
    summary: "Change an environment at the revision you last read",
    description: ["Changes only what is said; null in the document clears a pin."],
    flags: {
      environment,
      "expected-revision": revision,
      ...facets,
      "clear-model": { clears: "modelId", help: "Use the client's model again" },
    },
    document: "whole body",
    changes: true,
    examples: { "Read the revision to send with it": "fettle cloud environments get --environment Nightly" },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "archiveEnvironment",
    name: "cloud environments archive",
    summary: "Archive an environment and free its name",
    flags: { environment, "expected-revision": revision },
    examples: { Archive: "fettle cloud environments archive --environment A --expected-revision 3" },
    shows: { done: "Archived" },
  }),
  operationCommand({
    operation: "restoreEnvironment",
    name: "cloud environments restore",
    summary: "Bring an archived environment back",
    flags: {
      environment: { ...environment, find: "archived environment" },
      "expected-revision": revision,
    },
    examples: { Restore: "fettle cloud environments restore --environment A --expected-revision 4" },
    shows: { done: "Restored" },
  }),
  operationCommand({
    operation: "ensureAdhocEnvironment",
    name: "cloud environments ensure-adhoc",
    summary: "Get or make the unnamed environment of exactly this stack",
    description: ["The same stack is always the same environment. Membership of the project is enough."],
    flags: {
      host: { field: "hostId", find: "client", value: "id-or-name", help: "The client it runs as" },
      "server-group": {
        field: "serverAttachmentId",
        value: "id",
        help: "Servers to pin; else the client's own",
      },
      model,
      ...skillFlags,
    },
    examples: { Compose: "fettle cloud environments ensure-adhoc --host Claude --model fettle/rules-1" },
    body: ({ flags: { skill } }, fields) =>
      skill.length === 0 ? fields : { ...fields, skillSelection: { mode: "explicit", skillIds: skill } },
    value: ({ environment, created }, { project }) => ({ project, environment, created }),
    shows: {
      text: ({ environment: { id }, created }) =>
        text`${style.green("✓")} ${created ? "Made" : "Found"} ${style.bold(id)}`,
    },
    next: ({ environment: { id } }) => `fettle cloud environments resolve --environment ${id}`,
  }),
  operationCommand({
    operation: "nameEnvironment",
    name: "cloud environments name",
    summary: "Give an ad-hoc environment a name; it keeps its id and runs",
    flags: {
      environment: { parameter: "environmentId", value: "id", help: "The ad-hoc environment" },
      name: { field: "name", help: "Its name from now on" },
      "expected-revision": revision,
      description,
    },
    examples: { "Read the revision to send with it": "fettle cloud environments get --environment env_..." },
    shows: { done: "Named" },
  }),
];
