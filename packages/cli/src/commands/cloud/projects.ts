/** @module `cloud projects`: the projects themselves; what is in them has families of its own. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

const requiredProject = flags({
  project: { kind: "text", value: "id-or-name", required: true, help: "The project" },
});
const settings = {
  description: { field: "description", value: "text", help: "What it is for" },
  visibility: { field: "visibility", help: "Seen by the whole organization, or by those added" },
} as const;

export const cloudProjectsCommands = [
  group({ name: "cloud projects", section: "cloud", summary: "Projects you can see" }),
  operationCommand({
    operation: "listProjects",
    name: "cloud projects list",
    summary: "List projects and their ids",
    asks: ({ org }) => (org ? `organization ${org}` : "all projects"),
    flags: { org: { field: "organizationId", value: "id", help: "Only projects of this organization" } },
    examples: {
      "All projects": "fettle cloud projects list",
      "Those of one organization": "fettle cloud projects list --org org_...",
    },
    shows: {
      noun: "project",
      table: { ID: "id", NAME: "name", UPDATED: ({ updatedAt }) => new Date(updatedAt).toISOString() },
      shrinks: ["NAME"],
    },
    next: ({ items: [first] }) => first && `fettle cloud link ${first.id}`,
  }),
  operationCommand({
    operation: "createProject",
    name: "cloud projects create",
    summary: "Create a project",
    asks: ({ org }) => (org ? `organization ${org}` : "account"),
    flags: {
      name: { field: "name", help: "Its name" },
      ...settings,
      org: {
        field: "organizationId",
        value: "id",
        help: "Organization to make it in; else your key's or your own",
      },
    },
    examples: { "Make a project": 'fettle cloud projects create --name "Book shop"' },
    shows: { done: "Created" },
    next: ({ id }) => `fettle cloud link ${id}`,
  }),
  operationCommand({
    operation: "updateProject",
    name: "cloud projects update",
    summary: "Change a project's name, description or visibility",
    description: ["Changes only what is said; a blank --description removes it. Needs project admin."],
    flags: { ...requiredProject, name: { field: "name", help: "A new name" }, ...settings },
    changes: true,
    examples: {
      Rename: "fettle cloud projects update --project Alpha --name Beta",
      "Hide from the organization": "fettle cloud projects update --project Alpha --visibility private",
    },
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "deleteProject",
    name: "cloud projects delete",
    summary: "Delete a project and everything in it",
    description: ["For good, and at once: servers, clients and access go with it. Needs project admin."],
    flags: requiredProject,
    examples: { "Delete by id": "fettle cloud projects delete --project proj_..." },
    shows: { done: "Deleted", and: " and everything in it" },
  }),
];
