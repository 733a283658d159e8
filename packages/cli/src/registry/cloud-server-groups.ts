/** @module Declares `cloud server-groups`: frozen sets of saved servers, which environments pin. */
import { command, group } from "./command.ts";
import { flags } from "./flag.ts";
import { platformFlags } from "./shared-flags.ts";

export const serverGroupsListFlags = flags({ ...platformFlags });
export const serverGroupsCreateFlags = flags({
  name: { kind: "text", value: "name", required: true, help: "Its name" },
  server: {
    kind: "text",
    value: "id-or-name",
    required: true,
    repeats: true,
    variadic: true,
    help: "The saved servers in it",
  },
  description: { kind: "text", value: "text", help: "What it is for" },
  ...platformFlags,
});

export const cloudServerGroupsCommands = [
  group({ name: "cloud server-groups", section: "cloud", summary: "Frozen sets of saved servers" }),
  command({
    name: "cloud server-groups list",
    section: "cloud",
    summary: "List a project's server groups",
    arguments: {},
    flags: serverGroupsListFlags,
    examples: [{ command: "fettle cloud server-groups list", does: "Ids for --server-group" }],
    load: () => import("../commands/cloud-server-groups-list.ts"),
  }),
  command({
    name: "cloud server-groups create",
    section: "cloud",
    summary: "Freeze a set of saved servers under a name",
    description: ["A group never changes. Needs project admin."],
    arguments: {},
    flags: serverGroupsCreateFlags,
    examples: [
      {
        command: "fettle cloud server-groups create --name Shops --server Bookshop 'Toy shop'",
        does: "Two servers by name",
      },
    ],
    load: () => import("../commands/cloud-server-groups-create.ts"),
  }),
];
