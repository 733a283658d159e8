/** @module `cloud skills`: read-only; they are written in the web app. */
import { operationCommand } from "../../cloud/operation-command.ts";
import { style } from "../../output/text.ts";
import { group } from "../../program/command.ts";

export const cloudSkillsCommands = [
  group({ name: "cloud skills", section: "cloud", summary: "Shared skills and your own drafts" }),
  operationCommand({
    operation: "listProjectSkills",
    name: "cloud skills list",
    summary: "List skills, and whether each can be pinned",
    examples: { "Shared skills and your own drafts": "fettle cloud skills list" },
    shows: {
      noun: "skill",
      table: {
        ID: "id",
        NAME: "name",
        SHARING: "sharing",
        PINNABLE: ({ pinnability }) => (pinnability.ok ? style.green("yes") : pinnability.reason),
      },
      shrinks: ["PINNABLE"],
    },
  }),
  operationCommand({
    operation: "getProjectSkill",
    name: "cloud skills get",
    summary: "Show a skill with its text",
    flags: { skill: { parameter: "skillId", find: "skill", value: "id-or-name", help: "The skill" } },
    examples: { "By id or name": "fettle cloud skills get --skill greet" },
    shows: "outline",
  }),
];
