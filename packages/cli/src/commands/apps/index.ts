/** @module Declares `apps`: are a server's widgets what hosts expect? */

import { command, group } from "../../program/command.ts";
import { appsConformanceFlags, appsRenderFlags, appsSuiteFlags } from "./flags.ts";

const server = "--url $URL";

export const appsCommands = [
  group({ name: "apps", section: "local", summary: "Prove that a server's widgets are in order" }),
  command({
    name: "apps conformance",
    section: "local",
    hosted: true,
    summary: "Check what a server says about its widgets, and the widgets themselves",
    description: [
      "Lists tools and resources and reads every widget, in both dialects (MCP Apps and the Apps SDK). No tool is called. With --boot every widget is also shown in the Chromium or Chrome of this machine, and has to begin; where there is none, that check could not run. A server without widgets is not at fault unless you say --require-ui. Exits 0 when all passed, 1 on a failed check, 3 when something could not be tested.",
    ],
    arguments: {},
    flags: appsConformanceFlags,
    examples: [
      { command: `fettle apps conformance ${server}`, does: "Everything that applies" },
      { command: `fettle apps conformance ${server} --require-ui --reporter junit-xml`, does: "For CI" },
      { command: `fettle apps conformance ${server} --boot`, does: "And see that each widget begins" },
      { command: "fettle apps conformance --command node --args server.js", does: "Over stdio" },
    ],
    load: () => import("./conformance.ts"),
  }),
  command({
    name: "apps render",
    section: "local",
    summary: "Show a tool's widget without a window, and take a picture of it",
    description: [
      "Calls the tool once and shows its widget as the inspector does, in its own frame on an origin of its own, drawn by the Chromium or Chrome of this machine. The JSON tells how it ended: rendered, no_ui_resource, resource_read_failed, mount_failed, bridge_timeout, render_error, blank_screenshot, screenshot_failed or browser_unavailable. Exits 1 when the tool reports an error, when a picture was asked for and there is none, or with --require-render unless it was rendered.",
    ],
    arguments: {},
    flags: appsRenderFlags,
    examples: [
      {
        command: `fettle apps render ${server} --tool-name show_bookshelf --screenshot-out shelf.png`,
        does: "One picture",
      },
      {
        command: `fettle apps render ${server} --tool-name show_bookshelf --device mobile --theme dark --require-render`,
        does: "On a phone in the dark, for CI",
      },
    ],
    load: () => import("./render.ts"),
  }),
  command({
    name: "apps conformance-suite",
    section: "local",
    summary: "Run several sets of these checks from a file",
    description: [
      'The file: {"name", "target": {"url" or "command", "args", "env", "cwd", "accessToken", "headers", "timeout"}, "defaults", "runs": [{"label", "checkIds", "categories", "requireUi", "protocolVersion"}]}.',
    ],
    arguments: {},
    flags: appsSuiteFlags,
    examples: [{ command: "fettle apps conformance-suite --config apps.json", does: "Runs in their order" }],
    load: () => import("./conformance-suite.ts"),
  }),
];
