/** @module Personas and journeys drafted from servers' tools, to be read and then made by hand. */
import { operationCommand } from "../../../cloud/operation-command.ts";

const ground = {
  environment: {
    field: "environmentId",
    find: "environment",
    value: "id-or-name",
    help: "Whose servers; its model drafts where it is one",
  },
  "server-attachment": { field: "serverAttachmentId", value: "id", help: "A server group instead" },
  "journey-count": { field: "journeyCount", value: "n", help: "Journeys of each persona" },
  about: { field: "description", value: "text", help: "What they are to be about; only a model reads it" },
} as const;

const description = [
  "Nothing is stored: create what you like of it. Where the environment speaks with a model, that drafts and may cost something; else rules do, from names and schemas, leave out tools whose server says that they destroy something, and say of a journey what it may change.",
];

const load = async () => (await import("./drafts-text.ts")).draftsText;

export const draftCommands = [
  operationCommand({
    operation: "generatePersonas",
    name: "cloud personas generate",
    summary: "Draft personas with journeys from servers' tools",
    description,
    flags: { ...ground, "persona-count": { field: "personaCount", value: "n", help: "How many" } },
    examples: {
      "Three of them": "fettle cloud personas generate --environment Nightly --persona-count 3",
    },
    shows: { load },
    next: () => "fettle cloud personas create --help",
  }),
  operationCommand({
    operation: "generateJourneys",
    name: "cloud journeys generate",
    summary: "Draft journeys for a persona from servers' tools",
    description,
    flags: {
      "persona-name": { kind: "text", value: "name", required: true, help: "Whose journeys" },
      "persona-role": { kind: "text", value: "role", required: true, help: "What they are" },
      "persona-notes": { kind: "text", value: "text", help: "What they know and want" },
      ...ground,
    },
    examples: {
      "For one persona":
        'fettle cloud journeys generate --environment Nightly --persona-name Ann --persona-role "first-time buyer"',
    },
    body: ({ flags: { personaName, personaRole, personaNotes } }, fields) => ({
      ...fields,
      persona: {
        name: personaName,
        role: personaRole,
        ...(personaNotes !== undefined && { notes: personaNotes }),
      },
    }),
    shows: { load },
    next: () => "fettle cloud journeys create --help",
  }),
];
