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
    examples: [{ command: "fettle cloud skills list", does: "Shared skills and your own drafts" }],
    shows: {
      noun: "skill",
      table: [
        { header: "ID", cell: ({ id }) => id },
        { header: "NAME", cell: ({ name }) => style.bold(name) },
        { header: "SHARING", cell: ({ sharing }) => sharing },
        {
          header: "PINNABLE",
          shrinks: true,
          cell: ({ pinnability }) => (pinnability.ok ? style.green("yes") : pinnability.reason),
        },
      ],
    },
  }),
  operationCommand({
    operation: "getProjectSkill",
    name: "cloud skills get",
    summary: "Show a skill with its text",
    flags: { skill: { parameter: "skillId", find: "skill", value: "id-or-name", help: "The skill" } },
    examples: [{ command: "fettle cloud skills get --skill greet", does: "By id or name" }],
    shows: "outline",
  }),
];
