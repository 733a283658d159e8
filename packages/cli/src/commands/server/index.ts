/** @module Declares `server`: looking at a whole server, and holding it to what it was. */

import { command, group } from "../../program/command.ts";
import {
  diffFlags,
  doctorFlags,
  exportFlags,
  probeFlags,
  serverFlags,
  surfaceCheckFlags,
  surfaceLockFlags,
} from "./flags.ts";

const server = "--url $URL";

export const serverCommands = [
  group({ name: "server", section: "local", summary: "Examine an MCP server" }),
  command({
    name: "server doctor",
    section: "local",
    summary: "Find out what is wrong with a server, and what to do",
    description: [
      "Probes, connects, lists, and reads prompts within --timeout. For each fault: the cause, what was seen, and the next command to try. Exits 0 only when the server is ready.",
    ],
    arguments: {},
    flags: doctorFlags,
    examples: [
      { command: `fettle server doctor ${server}`, does: "Over HTTP" },
      { command: "fettle server doctor --command node --args server.js", does: "Over stdio" },
    ],
    load: () => import("./doctor.ts"),
  }),
  command({
    name: "server probe",
    section: "local",
    summary: "Look at an HTTP server without connecting",
    arguments: {},
    flags: probeFlags,
    examples: [{ command: `fettle server probe ${server}`, does: "Transport, version, OAuth metadata" }],
    load: () => import("./probe.ts"),
  }),
  command({
    name: "server info",
    section: "local",
    summary: "Show what a server says of itself",
    arguments: {},
    flags: serverFlags,
    examples: [{ command: `fettle server info ${server}`, does: "Name, version, capabilities" }],
    load: () => import("./info.ts"),
  }),
  command({
    name: "server validate",
    section: "local",
    summary: "Connect, list tools, and fail on what a host would refuse",
    arguments: {},
    flags: probeFlags,
    examples: [{ command: `fettle server validate ${server} --quiet`, does: "For scripts" }],
    load: () => import("./validate.ts"),
  }),
  command({
    name: "server ping",
    section: "local",
    summary: "Is it alive?",
    arguments: {},
    flags: serverFlags,
    examples: [{ command: `fettle server ping ${server} --retries 5`, does: "Wait for it to come up" }],
    load: () => import("./ping.ts"),
  }),
  command({
    name: "server capabilities",
    section: "local",
    summary: "Show what a server can do",
    arguments: {},
    flags: serverFlags,
    examples: [{ command: `fettle server capabilities ${server}`, does: "As it advertises them" }],
    load: () => import("./capabilities.ts"),
  }),
  command({
    name: "server export",
    section: "local",
    summary: "Everything a server offers, in one document",
    arguments: {},
    flags: exportFlags,
    examples: [
      { command: `fettle server export ${server} --stable --format json > server.json`, does: "A snapshot" },
    ],
    load: () => import("./export.ts"),
  }),
  command({
    name: "server diff",
    section: "local",
    summary: "Compare a server with what it was, or two files",
    description: [
      "Files are locks (`server surface lock`) or exports (`server export`). Two servers: write one down, and compare the other with it.",
    ],
    arguments: {},
    flags: diffFlags,
    examples: [
      {
        command: `fettle server diff ${server} --baseline fettle-surface.json`,
        does: "A server with its lock",
      },
      { command: "fettle server diff --left old.json --right new.json --fail-on any", does: "Two exports" },
    ],
    load: () => import("./diff.ts"),
  }),
  group({
    name: "server surface",
    section: "local",
    summary: "Hold a server to what it offers",
    description: [
      "A committed lock file of all definitions; a check classes every change as breaking, compatible or text-only.",
    ],
  }),
  command({
    name: "server surface lock",
    section: "local",
    summary: "Write down what a server offers",
    arguments: {},
    flags: surfaceLockFlags,
    examples: [
      { command: `fettle server surface lock ${server} --skip resources`, does: "All but the resources" },
    ],
    load: () => import("./surface-lock.ts"),
  }),
  command({
    name: "server surface check",
    section: "local",
    summary: "Tell what changed since the lock",
    description: ["Exits 1 on the changes of --fail-on, and 3 when the server could not be asked."],
    arguments: {},
    flags: surfaceCheckFlags,
    examples: [
      { command: `fettle server surface check ${server}`, does: "Exit 1 on a breaking change" },
      { command: `fettle server surface check ${server} --fail-on any`, does: "Exit 1 on any change" },
    ],
    load: () => import("./surface-check.ts"),
  }),
];
