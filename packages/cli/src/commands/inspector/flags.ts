/** @module What the commands of `inspector` take. */
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";

export const attachFlags = flags({
  "inspector-url": {
    kind: "text",
    value: "url",
    defaultNote: "FETTLE_INSPECTOR_URL, or the one that runs here",
    help: "Address of an inspector that runs already; its token is read from FETTLE_INSPECTOR_TOKEN",
  },
});

/** Which server, and with what credential: how to speak to it is the inspector's own business. */
const {
  "protocol-version": _version,
  "client-capabilities": _capabilities,
  ...namingFlags
} = connectionFlags;

export const openFlags = flags({
  ...namingFlags,
  "server-name": {
    kind: "text",
    value: "name",
    defaultNote: "taken from its address or command",
    help: "What the named server is called in the inspector",
  },
  ...attachFlags,
  tab: {
    kind: "text",
    value: "path",
    defaultNote: "the list of servers",
    help: "Page to open, as a path of the inspector",
  },
});

export const inspectorServeFlags = flags({
  port: {
    kind: "text",
    value: "number",
    defaultNote: "7410, or the next free one",
    help: "Port to listen on, at 127.0.0.1 alone, with the two after it; 0 picks free ones",
  },
});
