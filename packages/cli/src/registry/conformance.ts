/** @module Declares `conformance run`: several suites in one go, kept in the history of a project. */
import { command, group } from "./command.ts";
import { connectionFlags } from "./connection-flags.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

/** The suites declare what their probes need, so that is not the operator's to choose. */
const { "client-capabilities": _capabilities, ...connection } = connectionFlags;

export const conformanceRunFlags = flags({
  ...connection,
  suite: {
    kind: "choice",
    choices: ["protocol", "apps", "tasks"],
    value: "suite",
    repeats: true,
    defaultNote: "all three",
    help: "Run only this suite",
  },
  upload: { kind: "boolean", help: "Keep the run in the project's history; a failed upload is only told" },
  "require-upload": { kind: "boolean", help: "The same, and fail when it cannot be kept" },
  ...platformFlags,
});

const server = "--url $URL";

export const conformanceCommands = [
  group({
    name: "conformance",
    section: "local",
    summary: "Run the conformance suites together, and keep the result",
    hosted: true,
  }),
  command({
    name: "conformance run",
    section: "local",
    summary: "Run the protocol, apps and tasks suites on one server",
    description: [
      "Runs here, on this machine. With --upload, or when a key (--api-key, FETTLE_API_KEY) and a project (--project, FETTLE_PROJECT, a link) are configured, the reports are sent to the project, where the service counts them again and a page shows them. Exits 0 when all passed, 1 on a failed check, 3 when something could not be tested.",
    ],
    arguments: {},
    flags: conformanceRunFlags,
    examples: [
      { command: `fettle conformance run ${server}`, does: "All suites" },
      {
        command: `fettle conformance run ${server} --suite protocol --upload`,
        does: "One suite, kept in the project",
      },
      {
        command: `fettle conformance run ${server} --require-upload`,
        does: "For CI that must have the history",
      },
    ],
    load: () => import("../commands/conformance-run.ts"),
  }),
];
