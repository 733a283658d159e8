/** @module Declares `protocol`: does a server keep to the protocol? */
import { command, group } from "../../program/command.ts";
import { protocolConformanceFlags, protocolSuiteFlags } from "./flags.ts";

const server = "--url $URL";

export const protocolCommands = [
  group({ name: "protocol", section: "local", summary: "Prove that a server keeps to the protocol" }),
  command({
    name: "protocol conformance",
    section: "local",
    hosted: true,
    summary: "Check a server against the specification",
    description: [
      "Sends what clients send and what they must not, and judges every answer. Without --protocol-version, the revision that a current client and the server agree on is judged.",
      "No tool is called unless you name it as a fixture, say --call-read-only, or the server is the fixture server of the official suite. Exits 0 when all passed, 1 on a failed check, 3 when something could not be tested.",
    ],
    arguments: {},
    flags: protocolConformanceFlags,
    examples: [
      { command: `fettle protocol conformance ${server}`, does: "Everything that applies" },
      {
        command: `fettle protocol conformance ${server} --protocol-version 2025-11-25 --category core`,
        does: "One revision, one category",
      },
      {
        command: `fettle protocol conformance ${server} --fixture-tool echo --reporter junit-xml > protocol.xml`,
        does: "For CI, with a tool that may be called",
      },
      { command: "fettle protocol conformance --command node --args server.js", does: "Over stdio" },
    ],
    load: () => import("./conformance.ts"),
  }),
  command({
    name: "protocol conformance-suite",
    section: "local",
    summary: "Run several conformance runs from a file",
    description: [
      "The file names the server and the runs: {serverUrl, name?, defaults?, runs: [{label?, protocolVersion?, categories?, checkIds?, fixtures?, fixtureProfile?, accessToken?, customHeaders?, checkTimeout?}]}. `defaults` holds what all runs share. Instead of serverUrl, `target` may be {command, args?, env?, cwd?}.",
      "Runs go one after the other. Exits 1 when any run failed, 3 when any is incomplete, else 0.",
    ],
    arguments: {},
    flags: protocolSuiteFlags,
    examples: [
      {
        command: "fettle protocol conformance-suite --config conformance.json",
        does: "All runs of the file",
      },
    ],
    load: () => import("./conformance-suite.ts"),
  }),
];
