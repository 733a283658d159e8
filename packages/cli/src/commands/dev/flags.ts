/** @module What the commands of `dev` take. */
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";

export const devFlags = flags({
  ...connectionFlags,
  watch: {
    kind: "text",
    value: "path",
    repeats: true,
    defaultNote: "the folder the command is started in",
    help: "File or folder whose changes count",
  },
  "server-name": {
    kind: "text",
    value: "name",
    defaultNote: "taken from its address or command",
    help: "What the server is called in the inspector",
  },
  "no-inspector": { kind: "boolean", help: "Only report; start and open no inspector" },
  "no-open": { kind: "boolean", help: "Print the inspector's address instead of opening a browser" },
});
