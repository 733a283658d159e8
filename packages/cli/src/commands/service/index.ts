/** @module Declares the commands that run the service itself. */
import { command } from "../../program/command.ts";
import { serveFlags, workFlags } from "./flags.ts";

export const serviceCommands = [
  command({
    name: "serve",
    section: "cloud",
    summary: "Run the service on this machine",
    description: [
      "Starts the API, the web app and the job workers on one PostgreSQL: its own in the data folder, or yours when DATABASE_URL is set. Stops gracefully on Ctrl-C or SIGTERM. With --format json, stdout gets one object once the service answers.",
    ],
    arguments: {},
    flags: serveFlags,
    examples: [
      { command: "fettle serve --sample", does: "Try everything on a sample workspace" },
      {
        command: "fettle serve --port 0 --format json",
        does: "For a script: any free port, one JSON object",
      },
      { command: "DATABASE_URL=postgres://... fettle serve", does: "On your own PostgreSQL 15 or newer" },
    ],
    load: () => import("./serve.ts"),
  }),
  command({
    name: "work",
    section: "cloud",
    summary: "Run job workers apart from the service",
    description: [
      "For more power than one machine has: any number of `fettle serve` and `fettle work` on one PostgreSQL. Without DATABASE_URL it works beside a `fettle serve` on the same data folder. A stop hands unfinished jobs to the others.",
    ],
    arguments: {},
    flags: workFlags,
    examples: [
      { command: "DATABASE_URL=postgres://... fettle work", does: "One more worker on a shared database" },
    ],
    load: () => import("./work.ts"),
  }),
];
