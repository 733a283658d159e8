/** @module `cloud scenarios`: environments that are published for visitors. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { style, text } from "../../output/text.ts";
import { group } from "../../program/command.ts";

const environment = {
  parameter: "environmentId",
  find: "environment",
  value: "id-or-name",
  help: "The environment",
} as const;

export const cloudScenariosCommands = [
  group({
    name: "cloud scenarios",
    section: "cloud",
    summary: "Environments published for visitors to test",
    description: ["Publishing needs project admin. What visitors did is under `cloud user-testing`."],
  }),
  operationCommand({
    operation: "listScenarios",
    name: "cloud scenarios list",
    summary: "List what a project has published",
    examples: { "All of them": "fettle cloud scenarios list" },
    shows: {
      noun: "scenario",
      table: {
        ID: "id",
        NAME: "name",
        MODE: ({ mode }) => mode ?? "-",
        SESSIONS: "sessionCount",
        SERVERS: ({ serverNames }) => serverNames.join(", "),
      },
      shrinks: ["NAME", "SERVERS"],
    },
    next: ({ items: [first] }) =>
      first
        ? `fettle cloud user-testing sessions --scenario ${first.id}`
        : "fettle cloud scenarios publish --help",
  }),
  operationCommand({
    operation: "getScenario",
    name: "cloud scenarios get",
    summary: "Show a scenario with its link, servers and settings",
    flags: {
      scenario: { parameter: "scenarioId", find: "scenario", value: "id-or-name", help: "The scenario" },
    },
    examples: { "By id or name": "fettle cloud scenarios get --scenario 'Find a book'" },
    shows: "outline",
  }),
  operationCommand({
    operation: "publishScenario",
    name: "cloud scenarios publish",
    summary: "Publish an environment, and print the link to hand out",
    description: [
      "An environment has one scenario: publishing it again answers with the one there is, and leaves its name, description and mode as they are.",
    ],
    flags: {
      environment,
      name: { field: "name", help: "What visitors read; else the environment's name" },
      description: { field: "description", value: "text", help: "What visitors are asked to do" },
      mode: { field: "mode", help: "Who may open the link; else project_members" },
      feedback: { field: "feedback", help: "How visitors rate answers; else off" },
    },
    examples: {
      "For anyone who has the link":
        "fettle cloud scenarios publish --environment Shop --mode anyone_with_link",
    },
    shows: {
      text: ({ id, name, mode, link, created }) =>
        text`${style.green("✓")} ${created ? "Published" : "Published before:"} ${style.bold(name)} ${style.dim(`(${id}, ${mode})`)}\n${link ?? ""}`,
    },
    warns: ({ overridesIgnored, id }) =>
      overridesIgnored
        ? `It was published before, so its name, description and mode stay as they are; change them with \`fettle cloud user-testing update --scenario ${id}\`.`
        : undefined,
    next: ({ id }) => `fettle cloud user-testing sessions --scenario ${id}`,
  }),
  operationCommand({
    operation: "unpublishScenario",
    name: "cloud scenarios unpublish",
    summary: "Take a scenario down; open sessions end at once",
    description: ["Its link is dead for good. Publishing the environment again makes a new scenario."],
    flags: { environment },
    examples: { "Take it down": "fettle cloud scenarios unpublish --environment Shop" },
    shows: {
      text: ({ deleted, id = "" }) =>
        deleted ? text`${style.green("✓")} Taken down ${style.dim(id)}` : text`Nothing was published.`,
    },
  }),
];
