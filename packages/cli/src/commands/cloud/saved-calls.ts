/** @module `cloud projects servers calls`: calls saved under a name, for everybody in a project. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { outcomeText, ranAgain, server, suite } from "./server-history.ts";

const call = { parameter: "callId", value: "id-or-name", help: "The saved call" } as const;
const calls = "fettle cloud projects servers calls";
const runs = ({ id, serverId }: { id: string; serverId: string }) =>
  `${calls} run --server ${serverId} --call ${id}`;

export const cloudSavedCallsCommands = [
  operationCommand({
    operation: "listSavedCalls",
    flags: { server },
    shows: {
      noun: "saved call",
      table: {
        ID: "id",
        NAME: "name",
        KIND: "kind",
        CALLS: "subject",
        LAST: ({ last }) => (last ? outcomeText(last.outcome) : "-"),
        AT: ({ last }) => (last ? new Date(last.at).toISOString() : "-"),
      },
      shrinks: ["NAME", "CALLS"],
    },
    next: ({ items: [first] }) => first && runs(first),
    name: "cloud projects servers calls",
    summary: "Calls saved to be made again",
    description: ["Without a command, lists them. Everybody in the project sees and may change them."],
    examples: { List: `${calls} --server Shop` },
  }),
  operationCommand({
    operation: "getSavedCall",
    name: "cloud projects servers calls get",
    summary: "Show one with its parameters",
    flags: { server, call },
    examples: { "By id or name": `${calls} get --server Shop --call 'Sea books'` },
    shows: "outline",
  }),
  operationCommand({
    operation: "createSavedCall",
    name: "cloud projects servers calls save",
    aliases: ["create"],
    summary: "Save a call under a name",
    description: ["Parameters are in --json or --file. Credentials among them are not kept."],
    needsNamedProject: true,
    flags: {
      server,
      name: { field: "name", help: "Its name, unlike any other of the server" },
      subject: { field: "subject", value: "name", help: "The tool, prompt, or address of a resource" },
      kind: { field: "kind", help: "What is called; a tool unless said" },
      entry: { field: "entryId", value: "id", help: "In place of these: an entry of the history, as it was" },
    },
    document: "parameters",
    examples: {
      "A tool's call": `${calls} save --server Shop --name Sea --subject search --json '{"query":"sea"}'`,
      "What was done before": `${calls} save --server Shop --name Sea --entry hst_...`,
    },
    shows: { done: "Saved" },
    next: runs,
  }),
  operationCommand({
    operation: "updateSavedCall",
    name: "cloud projects servers calls update",
    summary: "Rename one, or change its parameters",
    needsNamedProject: true,
    flags: { server, call, name: { field: "name", help: "A new name" } },
    document: "parameters",
    changes: true,
    examples: { Rename: `${calls} update --server Shop --call Sea --name 'Sea books'` },
    shows: { done: "Changed" },
  }),
  operationCommand({
    operation: "deleteSavedCall",
    name: "cloud projects servers calls delete",
    summary: "Delete one; the history keeps what it did",
    needsNamedProject: true,
    flags: { server, call },
    examples: { "By id or name": `${calls} delete --server Shop --call Sea` },
    shows: { done: "Deleted" },
  }),
  operationCommand({
    operation: "runSavedCall",
    name: "cloud projects servers calls run",
    summary: "Make one, and compare with its last result",
    description: ["Parameters in --json or --file are used this once, in place of all that are saved."],
    needsNamedProject: true,
    flags: { server, call },
    document: "parameters",
    examples: { "By id or name": `${calls} run --server Shop --call Sea` },
    shows: ranAgain,
  }),
  operationCommand({
    operation: "createCaseFromSavedCall",
    name: "cloud projects servers calls eval-case",
    summary: "Turn one into a case of an eval suite",
    needsNamedProject: true,
    flags: { server, call, suite, title: { field: "title", help: "Of the case" } },
    examples: { Make: `${calls} eval-case --server Shop --call Sea --suite Orders` },
    shows: "outline",
  }),
];
