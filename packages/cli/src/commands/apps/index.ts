/** @module Declares `apps`: are a server's widgets what hosts expect? */

import {
  categoryFlag,
  checkIdFlag,
  reportFlags,
  requireFlags,
  suiteConfigFlags,
  uploadFlags,
} from "../../conformance/flags.ts";
import { connectionFlags } from "../../connection/flags.ts";
import { command, group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const appsSuiteFlags = flags({ ...suiteConfigFlags, ...requireFlags.apps });

export const appsConformanceFlags = flags({
  ...connectionFlags,
  ...categoryFlag(["tools", "resources"]),
  ...checkIdFlag,
  ...requireFlags.apps,
  ...reportFlags,
  ...uploadFlags,
  ...retryFlags,
});

const server = "--url $URL";

export const appsCommands = [
  group({ name: "apps", section: "local", summary: "Prove that a server's widgets are in order" }),
  command({
    name: "apps conformance",
    section: "local",
    hosted: true,
    summary: "Check what a server says about its widgets, and the widgets themselves",
    description: [
      "Lists tools and resources and reads every widget, in both dialects (MCP Apps and the Apps SDK). No tool is called. A server without widgets is not at fault unless you say --require-ui. Exits 0 when all passed, 1 on a failed check, 3 when something could not be tested.",
    ],
    arguments: {},
    flags: appsConformanceFlags,
    examples: [
      { command: `fettle apps conformance ${server}`, does: "Everything that applies" },
      { command: `fettle apps conformance ${server} --require-ui --reporter junit-xml`, does: "For CI" },
      { command: "fettle apps conformance --command node --args server.js", does: "Over stdio" },
    ],
    load: () => import("./conformance.ts"),
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
