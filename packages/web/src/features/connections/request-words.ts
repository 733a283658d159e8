/** @module A connection request in words: what each state is, what a scope lets happen, and what to do about a failure. Pure. */
import type { AddressWarning, ConnectionConsent, ConnectionErrorCode } from "@fettle/contract/servers";

type Status = ConnectionConsent["status"];

/** It goes on by itself. */
export function isMoving(status: Status): boolean {
  return status === "discovering" || status === "validating";
}

export function isEnded(status: Status): boolean {
  return status === "ready" || status === "failed" || status === "expired" || status === "cancelled";
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** What the person calls the server, or else where it is. */
export function nameOf({ server }: Pick<ConnectionConsent, "server">): string {
  return server.name ?? hostOf(server.url);
}

export function titleOf(consent: ConnectionConsent): string {
  const name = nameOf(consent);
  const titles: Record<Status, string> = {
    discovering: `Looking at ${name}`,
    awaiting_project: `Where does ${name} belong?`,
    awaiting_authorization: `Connect ${name}`,
    authorizing: "Waiting for your answer",
    validating: `Trying ${name} out`,
    ready: `${name} is connected`,
    failed: `${name} is not connected`,
    expired: "This request has expired",
    cancelled: "This request was cancelled",
  };
  return titles[consent.status];
}

export const warningWords: Record<AddressWarning, string> = {
  plain_http:
    "The address is not encrypted (http). Anyone on the way can read and change what is sent, tokens included.",
  ip_address: "The address is a number, not a name. Nothing proves whose machine it is.",
  look_alike:
    "The host's name is written in letters that can look like others. Compare it letter by letter with the one you expect.",
  hidden_query:
    "The address carries values after its question mark. They may be secret and are not shown here.",
};

const scopeWords: Record<string, string> = {
  openid: "Know which account you use there",
  profile: "Read your name and picture there",
  email: "Read your email address there",
  address: "Read your postal address there",
  phone: "Read your telephone number there",
  offline_access: "Stay connected while you are away, without asking you again",
};

/** What a scope means, where that is the same everywhere; every other one is the server's own word. */
export function scopeMeaning(scope: string): string | undefined {
  return Object.hasOwn(scopeWords, scope) ? scopeWords[scope] : undefined;
}

export const advice: Record<ConnectionErrorCode, string> = {
  NOT_AN_MCP_SERVER:
    "Check the address: it must be the one where the server speaks MCP, usually ending in /mcp. The doctor says what it found there.",
  URL_NOT_ALLOWED:
    "This deployment does not reach that address. Whoever runs it can allow it with FETTLE_NETWORK_EXCEPTIONS.",
  UNSUPPORTED_AUTH_METHOD:
    "Save the server with a client id of its authorization server, or with a header that carries a key; or store tokens you already have, on the server's own page.",
  AUTHENTICATION_FAILED: "Start again if you want to agree after all, or with another account over there.",
  PROTOCOL_VALIDATION_FAILED:
    "It was reached, but does not speak MCP as it should. The doctor names the step that fails.",
  VALIDATION_FAILED: "Make sure that the server runs, then start again.",
  AMBIGUOUS_SERVER: "Start again with the one that is meant.",
  PROJECT_ACCESS_DENIED: "Ask an admin of the project for access, or start again with another project.",
};
