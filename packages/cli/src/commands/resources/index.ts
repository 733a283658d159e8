/** @module Declares `resources`: what can be read from a server. */

import { command, group } from "../../program/command.ts";
import { listFlags, resourcesReadFlags } from "./flags.ts";

export const resourcesCommands = [
  group({ name: "resources", section: "local", summary: "List and read a server's resources" }),
  command({
    name: "resources list",
    section: "local",
    summary: "List what can be read",
    arguments: {},
    flags: listFlags,
    examples: [{ command: "fettle resources list --url $URL", does: "All resources" }],
    load: () => import("./list.ts"),
  }),
  command({
    name: "resources read",
    section: "local",
    summary: "Read one resource",
    arguments: {},
    flags: resourcesReadFlags,
    examples: [
      {
        command: "fettle resources read --url $URL --resource-uri book://1",
        does: "One resource, as text",
      },
    ],
    load: () => import("./read.ts"),
  }),
  command({
    name: "resources templates",
    section: "local",
    summary: "List addresses with blanks to fill in",
    arguments: {},
    flags: listFlags,
    examples: [
      { command: "fettle resources templates --command ./server --format json", does: "As exact JSON" },
    ],
    load: () => import("./templates.ts"),
  }),
];
