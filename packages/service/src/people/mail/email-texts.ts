/** @module What each kind of email says. People typed the names in them, so names are shown as plain words on one line. */
import { limits } from "@fettle/contract/core";
import { hiddenSpans } from "@fettle/contract/formats";
import { html } from "@fettle/contract/reference";

/** What each kind of email is written from. */
export interface EmailFacts {
  invitation: { organization: string; invitedBy: string; role: string; url: string; expiresAt: number };
  "scenario-invite": { scenario: string; invitedBy: string; url: string; expiresAt: number | null };
  password: { name: string; url: string; expiresAt: number };
  notice: { subject: string; lines: string[]; url: string; settingsUrl: string; expiresAt: null };
}
export type EmailKind = keyof EmailFacts;

interface Draft {
  subject: string;
  before: string[];
  link: { label: string; url: string };
  after: string[];
}

/** Many mailboxes make links of what looks like one, and a name should lead nowhere. */
function words(text: string): string {
  const visible = hiddenSpans(text).map((span) => (span.kind === "plain" ? span.text : " "));
  const line = visible.join("").replaceAll(/\s+/g, " ").replaceAll("://", ": //").trim();
  return line.length > limits.accounts.nameLength ? `${line.slice(0, limits.accounts.nameLength)}…` : line;
}

const moment = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const drafts: { [Kind in EmailKind]: (facts: EmailFacts[Kind]) => Draft } = {
  invitation: ({ organization, invitedBy, role, url, expiresAt }) => ({
    subject: `Join ${words(organization)} on Fettle`,
    before: [`${words(invitedBy)} invites you to ${words(organization)} on Fettle, as ${role}.`],
    link: { label: "Accept the invitation", url },
    after: [`The link works once, for this address alone, until ${moment(expiresAt)}.`],
  }),
  "scenario-invite": ({ scenario, invitedBy, url, expiresAt }) => ({
    subject: `Try ${words(scenario)}`,
    before: [`${words(invitedBy)} asks you to try ${words(scenario)} and to say how it went.`],
    link: { label: "Begin", url },
    after: [
      expiresAt === null
        ? "The link is meant for you."
        : `The link is meant for you and works until ${moment(expiresAt)}.`,
      "What you write there is read by the people who invited you.",
    ],
  }),
  password: ({ name, url, expiresAt }) => ({
    subject: "Choose a new password for Fettle",
    before: [
      `Hello ${words(name)},`,
      "somebody, you we hope, asked for a new password for the account of this address.",
    ],
    link: { label: "Choose a new password", url },
    after: [
      `The link works once, until ${moment(expiresAt)}. Using it signs out everything that is signed in as you.`,
      "If it was not you, do nothing: your password stays as it is.",
    ],
  }),
  notice: ({ subject, lines, url, settingsUrl }) => ({
    subject: words(subject),
    before: lines.map(words),
    link: { label: "Look at it", url },
    after: [`You asked for this letter. Choose which you get, or none: ${settingsUrl}`],
  }),
};

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/**
 * @example
 * writeEmail("password", { name: "Ada", url, expiresAt }).subject; // "Choose a new password for Fettle"
 */
export function writeEmail<Kind extends EmailKind>(kind: Kind, facts: EmailFacts[Kind]): Letter {
  const { subject, before, link, after } = drafts[kind](facts);
  const paragraph = (line: string) => html`<p style="margin:0 0 16px">${line}</p>`;
  const body = html`<!doctype html>
<html lang="en"><body style="font:16px/1.5 system-ui,sans-serif;margin:0;padding:24px;max-width:36em">
${before.map(paragraph)}
<p style="margin:0 0 16px"><a href="${link.url}">${link.label}</a></p>
${after.map(paragraph)}
</body></html>`;
  return {
    subject,
    text: `${[...before, `${link.label}:\n${link.url}`, ...after].join("\n\n")}\n`,
    html: body.markup,
  };
}
