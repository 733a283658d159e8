/** @module The groups of API operations, in the specification's order, each with the rule that holds for all of it. */

export const tags = [
  { name: "Clients", description: "Named configurations of how the service talks to MCP servers." },
  {
    name: "Environments",
    description: "Execution bundles and server groups. Members read; project admins write.",
  },
  { name: "Plugins", description: "Installed plugins and their versions. Read-only." },
  { name: "Skills", description: "Skills that environments may pin. Read-only." },
  {
    name: "Sandbox images",
    description: "Machine images from blueprints, their builds, and the caller's computer.",
  },
  { name: "Server diagnostics", description: "Whether a saved server is well, looked at live." },
  { name: "Primitives", description: "A saved server's tools, prompts and resources, read live." },
  { name: "Export", description: "A whole server in one document." },
  { name: "Execution", description: "Call tools and render prompts of a saved server." },
  { name: "Eval runs", description: "Suites, cases, runs, gates and results reported from elsewhere." },
  { name: "Conformance runs", description: "Protocol conformance, run here or reported from elsewhere." },
  {
    name: "Server connections",
    description: "Bring a server into a project by its address, through consent.",
  },
  { name: "OAuth", description: "OAuth tokens obtained elsewhere." },
  {
    name: "Scenarios",
    description: "Scenarios published from a project, with their share links. Read-only.",
  },
  {
    name: "Catalog",
    description: "The account, organizations, projects, saved servers, sessions and models.",
  },
  { name: "Tunnels", description: "A public address for a server on the caller's machine." },
  { name: "Agent", description: "One assistant turn at a time. Spends model budget." },
  { name: "Swarms", description: "Personas, journeys, and the swarms that hold them." },
  { name: "Swarm runs", description: "Launching and following journey runs. Launching spends model budget." },
  {
    name: "Swarm insights",
    description: "Scorecards and findings are free; asking for wave insights draws on a shared daily ledger.",
  },
  {
    name: "User testing",
    description: "Publish to visitors and read what they met. Operations that narrow access act at once.",
  },
  {
    name: "Directory readiness",
    description: "Lane status and coverage against a publisher's requirements; never a number.",
  },
  {
    name: "Registry",
    description: "Search directories with any bearer, guests included; cards and installs need an account.",
  },
  {
    name: "Server history",
    description: "What was done with a saved server and what came of it, and calls saved to be made again.",
  },
  {
    name: "Notices",
    description: "Webhooks, letters and the audit log: who is told what happens, and who did what.",
  },
] as const;
