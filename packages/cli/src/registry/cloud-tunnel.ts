/** @module Declares `cloud tunnel`: a public address for a server on one's own machine. */
import { type ArgumentTable, command } from "./command.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const tunnelArguments = {
  target: { help: "An http address, or -- and a command with its arguments", repeats: true },
} as const satisfies ArgumentTable;

export const tunnelFlags = flags({
  server: { kind: "text", value: "name", help: "Name of the saved server; one of that name is pointed here" },
  id: { kind: "text", value: "name", hidden: true, help: "Another spelling of --server" },
  env: {
    kind: "text",
    short: "e",
    value: "KEY=VALUE",
    repeats: true,
    help: "Variable for the command",
  },
  cwd: { kind: "text", value: "folder", help: "Folder to run the command in" },
  ...platformFlags,
});

export const cloudTunnelCommands = [
  command({
    name: "cloud tunnel",
    section: "cloud",
    summary: "Let the service reach an MCP server on this machine",
    description: [
      "Opens a tunnel through the service, registers it as a server of the project, and stays until Ctrl-C. The address holds a secret: whoever has it can use the server. Run again, the address keeps its name, gets a new secret, and the old one is refused.",
      "A command is run here without a shell: one process for each session, at most eight, and one for callers without sessions. While the tunnel is down, calls fail at once. Exits 0 after Ctrl-C, 1 with TUNNEL_CLOSED when another run took over, the tunnel was closed, or the key or login that opened it ended.",
    ],
    arguments: tunnelArguments,
    flags: tunnelFlags,
    examples: [
      { command: "fettle cloud tunnel http://localhost:3001/mcp --server dev", does: "A server on HTTP" },
      { command: "fettle cloud tunnel --server dev -- node server.js --verbose", does: "A server on stdio" },
    ],
    load: () => import("../commands/cloud-tunnel.ts"),
  }),
];
