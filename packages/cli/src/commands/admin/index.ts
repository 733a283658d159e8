/** @module Declares the commands of whoever runs a service, used on its machine. */
import { command, group } from "../../program/command.ts";
import { adminFlags, endSessionsFlags, signInLinkFlags } from "./flags.ts";

export const adminCommands = [
  group({
    name: "admin",
    section: "cloud",
    summary: "Look after the accounts of a service, on its machine",
    description: [
      "Works on the data folder, or on DATABASE_URL, while the service runs and while it does not. It asks for no credential: whoever can read the folder or the database has every account anyway.",
    ],
  }),
  command({
    name: "admin people",
    section: "cloud",
    summary: "List everyone who has an account",
    arguments: {},
    flags: adminFlags,
    examples: [{ command: "fettle admin people", does: "Who they are, and how they sign in" }],
    load: () => import("./people.ts"),
  }),
  command({
    name: "admin sign-in-link",
    section: "cloud",
    summary: "Print a link that signs someone in once",
    description: [
      "For a forgotten password, a provider that is down, or the sample workspace. The link works once, within ten minutes.",
    ],
    arguments: {},
    flags: signInLinkFlags,
    examples: [
      { command: "fettle admin sign-in-link --email ada@example.com", does: "A way in for Ada" },
      {
        command: "fettle admin sign-in-link --email ada@example.com --forget-password",
        does: "And she chooses a new password",
      },
    ],
    load: () => import("./sign-in-link.ts"),
  }),
  command({
    name: "admin end-sessions",
    section: "cloud",
    summary: "Sign someone out everywhere",
    description: [
      "Ends their browser sessions and command-line logins, unused sign-in links, and what their browsers are remembered by.",
    ],
    arguments: {},
    flags: endSessionsFlags,
    examples: [
      {
        command: "fettle admin end-sessions --email ada@example.com --api-keys",
        does: "Ada's laptop was stolen",
      },
    ],
    load: () => import("./end-sessions.ts"),
  }),
];
