/** @module Declares `xaa`: cross-app access, tried from end to end. */
import { command, group } from "../../program/command.ts";
import { xaaRunFlags } from "./flags.ts";

export const xaaCommands = [
  group({ name: "xaa", section: "local", summary: "Try cross-app access" }),
  command({
    name: "xaa run",
    section: "local",
    summary: "Sign a grant as an identity provider, redeem it, and call the server",
    description: [
      "Fettle is the identity provider and the client; the authorization server and the MCP server are under test. The issuer's key and the client's are made in FETTLE_HOME and never leave this machine; `fettle serve` publishes their public halves. The authorization server must trust the issuer <issuer-base-url>/xaa.",
      "With --registration cimd --client-auth private-key-jwt the key is the identity: without its file, or with another XAA_CLIENT_PRIVATE_KEY, the client_id is another one.",
      "Exits 1 when the run does not get through, and when a grant of --negative-probe is accepted that no policy allows; unknown_sub and scope_denial are only reported.",
    ],
    arguments: {},
    flags: xaaRunFlags,
    examples: [
      {
        command: "fettle xaa run --url $URL --issuer-base-url $BASE --sub ada --client-id me",
        does: "As a client that the server knows",
      },
      {
        command: "fettle xaa run --url $URL --issuer-base-url $BASE --sub ada --registration dcr",
        does: "As one that registers now",
      },
    ],
    load: () => import("./run.ts"),
  }),
];
