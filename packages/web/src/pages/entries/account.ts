/** @module Pages about the person who is signed in. */
import { pagesOf } from "../page.ts";

export const accountPages = pagesOf("account", [
  {
    id: "account-profile",
    path: "/account/profile",
    title: "Profile",
    about: "Your name, address and password",
    reads: [],
    jump: "a",
    terminal: { commands: ["fettle cloud whoami"] },
    tabs: "account",
  },
  {
    id: "account-keys",
    path: "/account/keys",
    title: "API keys",
    about: "Make and revoke keys for scripts and CI",
    reads: ["listApiKeys"],
    action: { label: "Create key", operation: "createApiKey" },
    empty: {
      title: "No API keys yet",
      text: "A key lets a script, CI job or the command line act as you in one organization.",
    },
    jump: "k",
    terminal: { none: "Keys are made and revoked only here: a key cannot manage keys." },
    tabs: "account",
  },
  {
    id: "account-devices",
    path: "/account/devices",
    title: "Devices",
    about: "Browsers and command lines signed in as you",
    reads: ["listDevices"],
    empty: {
      title: "Only this browser",
      text: "Other browsers and command lines you sign in with appear here.",
    },
    jump: "d",
    terminal: { commands: ["fettle cloud logout"] },
    tabs: "account",
  },
  {
    id: "account-appearance",
    path: "/account/appearance",
    title: "Appearance",
    about: "Theme, density, motion and keyboard",
    reads: [],
    terminal: { none: "Appearance is kept in this browser." },
    tabs: "account",
  },
]);
