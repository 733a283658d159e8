/** @module Declares `resources`: what can be read from a server. */

import { connectionFlags, cursorFlag, hostFlag, interactiveFlags } from "../../connection/flags.ts";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

/** Of every command that lists. */
export const listFlags = flags({ ...connectionFlags, ...hostFlag, ...cursorFlag, ...retryFlags });

export const resourcesReadFlags = flags({
  "resource-uri": { kind: "text", value: "uri", help: "Which resource (required)" },
  uri: { kind: "text", value: "uri", hidden: true, help: "The same as --resource-uri" },
  ...connectionFlags,
  ...hostFlag,
  ...interactiveFlags,
  ...retryFlags,
});

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
