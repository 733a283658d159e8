/** @module Pages for people who are not signed in, or come from elsewhere for one thing. */
import { pagesOf } from "../page.ts";

export const entrancePages = pagesOf("entrance", [
  {
    id: "setup",
    path: "/setup",
    title: "Set up Fettle",
    about: "Make the first account and organization",
    reads: [],
  },
  {
    id: "login",
    path: "/login",
    title: "Sign in",
    about: "Sign in to this deployment",
    reads: [],
  },
  {
    id: "forgotten-password",
    path: "/forgotten-password",
    title: "Forgotten password",
    about: "Ask for a letter to choose a new password",
    reads: [],
  },
  {
    id: "new-password",
    path: "/new-password",
    title: "Choose a new password",
    about: "Opened by the link of a letter about a forgotten password",
    reads: [],
  },
  {
    id: "join",
    path: "/join",
    title: "Join an organization",
    about: "Accept an invitation",
    reads: ["readInvitation"],
  },
  {
    id: "cli-authorize",
    path: "/cli/authorize",
    title: "Authorize the command line",
    about: "Let a command line act as you",
    reads: ["getCliAuthorization"],
  },
  {
    id: "cli-done",
    path: "/cli/done",
    title: "Return to the terminal",
    about: "The command line has its answer",
    reads: [],
  },
  {
    id: "connect",
    path: "/connect",
    title: "Connect a server",
    about: "Opened by the private link of a connection request",
    reads: ["readConnectionLink", "listServerConnections"],
  },
  {
    id: "connect-request",
    path: "/connect/request/$request",
    title: "Connect a server",
    about: "Agree to connect a server, and see how far it has come",
    reads: ["getConnectionConsent", "listProjects", "listTools"],
  },
  {
    id: "visit",
    path: "/t/$link",
    title: "Take part in a test",
    about: "Opened by the link of a test: what it records, the conversation, and the end",
    reads: ["redeemScenarioLink", "getVisit"],
  },
]);
