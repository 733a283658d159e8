/** @module What the commands of `apps` take. */
import {
  categoryFlag,
  checkIdFlag,
  reportFlags,
  requireFlags,
  suiteConfigFlags,
  uploadFlags,
} from "../../conformance/flags.ts";
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";
import { browserFlags, placeFlags } from "../../widgets/place-flags.ts";

export const appsSuiteFlags = flags({ ...suiteConfigFlags, ...requireFlags.apps });

export const appsConformanceFlags = flags({
  ...connectionFlags,
  ...categoryFlag(["tools", "resources"]),
  ...checkIdFlag,
  ...requireFlags.apps,
  boot: {
    kind: "boolean",
    help: "Also show each widget in a browser without a window, to see that it begins",
  },
  ...browserFlags,
  ...reportFlags,
  ...uploadFlags,
  ...retryFlags,
});

export const appsRenderFlags = flags({
  "tool-name": { kind: "text", value: "name", help: "The tool whose widget is shown (required)" },
  "tool-args": { kind: "text", value: "json", defaultNote: "{}", help: "Its arguments (JSON, @path or -)" },
  "tool-args-stdin": { kind: "boolean", help: "Read the arguments from stdin" },
  "screenshot-out": { kind: "text", value: "png", help: "Write the picture to this file" },
  "screenshot-base64": { kind: "boolean", help: "Put the picture into the JSON result" },
  "require-render": { kind: "boolean", help: "Exit 1 unless the widget was rendered" },
  viewport: {
    kind: "text",
    value: "WxH",
    defaultNote: "that of the device, or 1280x800",
    help: "Room there is for the widget",
  },
  "display-mode": {
    kind: "choice",
    choices: ["inline", "fullscreen", "pip"],
    value: "mode",
    defaultNote: "inline",
    help: "How it is shown, where it says that it can be",
  },
  protocol: {
    kind: "choice",
    choices: ["mcp-apps", "openai-sdk"],
    value: "dialect",
    help: "Which document, of a tool that names one for each dialect",
  },
  ...placeFlags("Tell it "),
  ...browserFlags,
  "inspector-url": {
    kind: "text",
    value: "url",
    defaultNote: "FETTLE_INSPECTOR_URL, or one for this command alone",
    help: "The inspector it is shown in",
  },
  "server-name": {
    kind: "text",
    value: "name",
    defaultNote: "taken from its address or command",
    help: "What the server is called in the inspector",
  },
  ...connectionFlags,
  ...retryFlags,
});
