/** @module What the commands of `readiness` take. */
import { submissionModes } from "@fettle/contract/servers";
import { reportFlags } from "../../conformance/flags.ts";
import { connectionFlags } from "../../connection/flags.ts";
import { flags } from "../../program/flag.ts";
import { defaultProfile } from "../../readiness/default-profile.ts";

const { url, "access-token": accessToken, "credentials-file": credentialsFile, header } = connectionFlags;

const sharedFlags = flags({
  url,
  "access-token": accessToken,
  "credentials-file": credentialsFile,
  header,
  submission: {
    kind: "text",
    value: "path",
    defaultNote: defaultProfile,
    help: "The submission profile: what the listing will say",
  },
});

export const checkClaudeFlags = flags({
  ...sharedFlags,
  "oauth-result": {
    kind: "text",
    value: "path",
    help: "What `oauth conformance` printed, for what a sign-in names",
  },
  ...reportFlags,
});

export const checkOpenaiFlags = flags({
  ...sharedFlags,
  "submission-mode": {
    kind: "choice",
    choices: submissionModes,
    value: "mode",
    required: true,
    help: "What is submitted; never guessed",
  },
  package: {
    kind: "text",
    value: "path",
    help: "The plugin package: a folder, a zip or a tgz",
  },
  ...reportFlags,
});
