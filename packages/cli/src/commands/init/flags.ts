import { flags } from "../../program/flag.ts";
import { retryFlags } from "../../program/shared-flags.ts";

export const ciFlags = flags({
  url: { kind: "text", value: "url", help: "Server over HTTP, as the workflow reaches it" },
  command: { kind: "text", value: "command", help: "Server to start, spoken to over stdio" },
  args: {
    kind: "text",
    value: "arg",
    repeats: true,
    variadic: true,
    mayBeBlank: true,
    help: "Its arguments; --args=-x for one with a dash",
  },
  "access-token": {
    kind: "text",
    value: "token",
    help: "Bearer token; the workflow takes it from the secret MCP_ACCESS_TOKEN",
  },
  name: { kind: "text", value: "name", help: "What the suite calls the server; else the server's own name" },
  out: {
    kind: "text",
    value: "path",
    defaultNote: ".github/workflows/fettle.yml",
    help: "Where the workflow is written",
  },
  force: { kind: "boolean", help: "Replace a workflow that is there" },
  ...retryFlags,
});
