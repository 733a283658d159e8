/** @module What the commands of `protocol` take. */
import { limits } from "@fettle/contract/core";
import {
  callReadOnlyFlag,
  categoryFlag,
  checkIdFlag,
  reportFlags,
  requireFlags,
  suiteConfigFlags,
  uploadFlags,
} from "../../conformance/flags.ts";
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";

/** The suite declares what its probes need, so that is not the operator's to choose. */
const { "client-capabilities": _capabilities, ...connection } = connectionFlags;

export const protocolSuiteFlags = flags({ ...suiteConfigFlags, ...requireFlags.protocol });

export const protocolConformanceFlags = flags({
  ...connection,
  ...categoryFlag(["core", "protocol", "tools", "prompts", "resources", "security", "transport"]),
  ...checkIdFlag,
  ...requireFlags.protocol,
  "check-timeout": {
    kind: "integer",
    min: 1,
    max: limits.waitMs,
    value: "ms",
    defaultNote: String(limits.conformance.checkMs),
    help: "How long one check waits for what it judges",
  },
  "fixtures-file": {
    kind: "text",
    value: "path",
    help: "JSON file of tool calls and prompts that may be executed",
  },
  "fixture-tool": {
    kind: "text",
    value: "name",
    repeats: true,
    help: "This tool may be called, without arguments",
  },
  "fixture-prompt": {
    kind: "text",
    value: "name",
    repeats: true,
    help: "This prompt may be fetched, without arguments",
  },
  ...callReadOnlyFlag,
  "fixture-profile": {
    kind: "choice",
    choices: ["official"],
    value: "profile",
    help: "The server has the fixtures of the official suite: a missing one is an unproven obligation",
  },
  ...reportFlags,
  ...uploadFlags,
});
