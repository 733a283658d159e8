/** @module What the commands of `service` take. */
import { flags } from "../../program/flag.ts";

/** The texts are the service's own option table's; a test holds the two together. All are read and checked by the service. */
export const workFlags = flags({
  config: {
    kind: "text",
    value: "file",
    defaultNote: "none",
    help: "YAML file whose `models` section sets up the models that every organization may use, beside the providers' own variables.",
  },
  data: {
    kind: "text",
    value: "folder",
    defaultNote: "data in FETTLE_HOME",
    help: "Folder of the service's data: its database, secret key and logs.",
  },
  "log-level": {
    kind: "text",
    value: "level",
    defaultNote: "info",
    known: ["debug", "info", "warn", "error"],
    help: "How much to log: debug, info, warn or error.",
  },
  "log-format": {
    kind: "text",
    value: "format",
    defaultNote: "human on a terminal, otherwise json",
    known: ["json", "human"],
    help: "`json` prints one object a line, `human` is for reading.",
  },
});

export const serveFlags = flags({
  host: {
    kind: "text",
    value: "address",
    defaultNote: "127.0.0.1",
    help: "Address to listen on. Anything but loopback needs FETTLE_SIGN_IN and FETTLE_SECRET_KEY.",
  },
  port: {
    kind: "text",
    value: "number",
    defaultNote: "7400",
    help: "Port to listen on; 0 picks a free one.",
  },
  "widget-port": {
    kind: "text",
    value: "number",
    defaultNote: "the port after --port",
    help: "Port of the separate origin that widgets are shown from.",
  },
  "public-url": {
    kind: "text",
    value: "url",
    defaultNote: "the address listened on",
    help: "Address people reach the service by, when a proxy stands in front of it. Used in links and for cookies.",
  },
  ...workFlags,
  sample: {
    kind: "boolean",
    help: "On a new data folder, make a sample workspace and show how to enter it.",
  },
});
