/** @module Declares `tools`: what a server offers to a model, called by hand. */

import { command, group } from "../../program/command.ts";
import { toolsCallFlags, toolsCostFlags, toolsListFlags } from "./flags.ts";

const server = "--url $URL";

export const toolsCommands = [
  group({ name: "tools", section: "local", summary: "List, call and weigh a server's tools" }),
  command({
    name: "tools list",
    section: "local",
    summary: "List tools and their arguments",
    arguments: {},
    flags: toolsListFlags,
    examples: [
      { command: `fettle tools list ${server}`, does: "All tools" },
      { command: `fettle tools list ${server} --host cursor`, does: "As Cursor would see them" },
    ],
    load: () => import("./list.ts"),
  }),
  command({
    name: "tools call",
    section: "local",
    summary: "Call a tool and print its result",
    description: [
      "In JSON an object result gets _durationMs, the milliseconds of the call alone. Exits 1 when the tool reports an error.",
    ],
    arguments: {},
    flags: toolsCallFlags,
    examples: [
      {
        command: `fettle tools call ${server} --tool-name search --tool-args '{"q":"tin"}'`,
        does: "One call",
      },
      {
        command: `fettle tools call ${server} --tool-name search --tool-args @args.json`,
        does: "Arguments from a file",
      },
      {
        command: `fettle tools call ${server} --name ping --expect-success --reporter junit-xml`,
        does: "A test for CI",
      },
    ],
    load: () => import("./call.ts"),
  }),
  command({
    name: "tools cost",
    section: "local",
    summary: "Count the tokens that tool definitions cost a model",
    description: [
      "Every definition is sent to the model with every request. Counts are exact for OpenAI's encoding and estimates for other makers, who publish none; the output says which is which.",
    ],
    arguments: {},
    flags: toolsCostFlags,
    examples: [
      { command: `fettle tools cost ${server}`, does: "Tool by tool, on the best-known hosts" },
      { command: `fettle tools cost ${server} --host claude --budget 2000`, does: "Fail above 2,000 tokens" },
    ],
    load: () => import("./cost.ts"),
  }),
];
