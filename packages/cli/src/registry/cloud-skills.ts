/** @module Declares `cloud skills`: read-only; they are written in the web app. */
import { command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const skillsListFlags = flags({ ...platformFlags });
export const skillsGetFlags = flags({
  skill: { kind: "text", value: "id-or-name", required: true, help: "The skill" },
  ...platformFlags,
});

export const cloudSkillsCommands = [
  group({ name: "cloud skills", section: "cloud", summary: "Shared skills and your own drafts" }),
  command({
    name: "cloud skills list",
    section: "cloud",
    summary: "List skills, and whether each can be pinned",
    arguments: {},
    flags: skillsListFlags,
    examples: [{ command: "fettle cloud skills list", does: "Shared skills and your own drafts" }],
    load: () => import("../commands/cloud-skills-list.ts"),
  }),
  command({
    name: "cloud skills get",
    section: "cloud",
    summary: "Show a skill with its text",
    arguments: {},
    flags: skillsGetFlags,
    examples: [{ command: "fettle cloud skills get --skill greet", does: "By id or name" }],
    load: () => import("../commands/cloud-skills-get.ts"),
  }),
];
