/** @module What the commands of `resources` take. */
import { connectionFlags, cursorFlag, hostFlag, interactiveFlags } from "../../connection/flags.ts";
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
