/** @module Declares `conformance run`: several suites in one go, kept in the history of a project. */
import { command, group } from "../../program/command.ts";
import { conformanceRunFlags } from "./flags.ts";

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
    summary: "Run the conformance suites on one server",
    description: [
      "Runs here, on this machine. With --upload, or when a key (--api-key, FETTLE_API_KEY) and a project (--project, FETTLE_PROJECT, a link) are configured, the reports are sent to the project, where the service counts them again and a page shows them. Exits 0 when all passed, 1 on a failed check, 3 when something could not be tested.",
      "The oauth suite runs when it is named: without a person, as the client of --client-id or else one it registers, by the rules of --protocol-version (else what the other suites agreed on, else 2025-11-25). A suite that cannot start is told and leaves the run incomplete; the others go on.",
      "With --call-read-only the protocol and tasks suites also call tools that say they are read-only. The service's own runs of a saved server do not have this option.",
    ],
    arguments: {},
    flags: conformanceRunFlags,
    examples: [
      { command: `fettle conformance run ${server}`, does: "All suites but OAuth" },
      {
        command: `fettle conformance run ${server} --suite protocol --upload`,
        does: "One suite, kept in the project",
      },
      {
        command: `fettle conformance run ${server} --call-read-only`,
        does: "Also exercise the tools that say they are read-only",
      },
      {
        command: `fettle conformance run ${server} --suite oauth --oauth-strategy client_credentials --client-id ci --client-secret $SECRET --reporter junit-xml`,
        does: "How it guards itself, asked by a machine, for CI",
      },
      {
        command: `fettle conformance run ${server} --require-upload`,
        does: "For CI that must have the history",
      },
    ],
    load: () => import("./run.ts"),
  }),
];
