/** @module Declares `readiness`: is a server or a package ready for a directory? */
import { command, group } from "../../program/command.ts";
import { defaultProfile } from "../../readiness/default-profile.ts";
import { checkClaudeFlags, checkOpenaiFlags } from "./flags.ts";
import { hostedReadinessCommands } from "./hosted.ts";

const about =
  "Nothing is called and no account is needed. There is no score: each lane is ready, not-ready or incomplete, and what could not be evaluated names the input that is missing. Exits 0 when ready, 1 when not, 3 when incomplete.";

export const readinessCommands = [
  group({
    name: "readiness",
    section: "local",
    summary: "Prove that a server is ready for a directory",
  }),
  group({ name: "readiness check", section: "local", summary: "Grade a submission by a publisher's rules" }),
  command({
    name: "readiness check claude",
    section: "local",
    aliases: ["directory-a"],
    summary: "Grade a server by the rules of the Claude directory",
    description: [
      `Looks at the way to the server, its sign-in, tools and widgets, and at the profile of the listing (${defaultProfile}). ${about}`,
    ],
    arguments: {},
    flags: checkClaudeFlags,
    examples: [
      { command: "fettle readiness check claude $URL", does: "One server" },
      {
        command: "fettle readiness check claude $URL --reporter junit-xml > readiness.xml",
        does: "For CI",
      },
    ],
    load: () => import("./check-claude.ts"),
  }),
  command({
    name: "readiness check openai",
    section: "local",
    aliases: ["directory-b"],
    summary: "Grade a submission by the rules of the OpenAI directory",
    description: [
      `Looks at what the mode submits: a server, a package, or both, and at the profile of the listing (${defaultProfile}). ${about}`,
      "skills-only takes --package and no server; mcp-only and mcp-imported-skills take a server and no package; mcp-uploaded-skills takes both.",
    ],
    arguments: {},
    flags: checkOpenaiFlags,
    examples: [
      {
        command: "fettle readiness check openai $URL --submission-mode mcp-only",
        does: "A server alone",
      },
      {
        command: "fettle readiness check openai --submission-mode skills-only --package plugin.zip",
        does: "A package of skills alone",
      },
    ],
    load: () => import("./check-openai.ts"),
  }),
  ...hostedReadinessCommands,
];
