/** @module What the commands of `admin` take. */
import { flags } from "../../program/flag.ts";
import { serveFlags, workFlags } from "../service/flags.ts";

export const adminFlags = flags({ data: workFlags.data });

const email = { kind: "text", value: "address", required: true, help: "Whose account" } as const;

export const signInLinkFlags = flags({
  email,
  "forget-password": {
    kind: "boolean",
    help: "Also forget their password and sign them out everywhere; they set a new one",
  },
  "public-url": serveFlags["public-url"],
  ...adminFlags,
});

export const endSessionsFlags = flags({
  email,
  "api-keys": { kind: "boolean", help: "Also revoke the API keys they made" },
  ...adminFlags,
});
