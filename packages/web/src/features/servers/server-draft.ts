/** @module A server as it is being typed, and what of it is sent. Secrets only go in: an empty one keeps what is saved. */
import { keysOf } from "@fettle/contract/core";
import type { ProjectServer, ProjectServerUpdated } from "@fettle/contract/servers";

export interface HeaderDraft {
  name: string;
  value: string;
}

export interface ServerDraft {
  name: string;
  url: string;
  headers: readonly HeaderDraft[];
  /** Saved headers are kept unless all of them are replaced. */
  replaceHeaders: boolean;
  timeoutSeconds: string;
  useOAuth: boolean;
  scopes: string;
  clientId: string;
  clientSecret: string;
  clearClientSecret: boolean;
}

export function emptyDraft(): ServerDraft {
  return {
    name: "",
    url: "",
    headers: [],
    replaceHeaders: true,
    timeoutSeconds: "",
    useOAuth: false,
    scopes: "",
    clientId: "",
    clientSecret: "",
    clearClientSecret: false,
  };
}

export function draftOf(server: ProjectServer): ServerDraft {
  return {
    ...emptyDraft(),
    name: server.name,
    url: server.url ?? "",
    replaceHeaders: false,
    useOAuth: server.useOAuth,
    scopes: server.oauthScopes.join(" "),
  };
}

/** The draft after it was saved; headers that a move has dropped are asked for again by their names. */
export function afterMove(saved: ProjectServerUpdated, before: ProjectServer): ServerDraft {
  const draft = draftOf(saved);
  if (!saved.credentialsDropped.includes("headers")) return draft;
  return { ...draft, headers: before.headerNames.map((name) => ({ name, value: "" })) };
}

/** What somebody else changed since the edit began, and this draft changes too; in words. */
export function changedByBoth(draft: ServerDraft, base: ProjectServer, stored: ProjectServer): string[] {
  const [before, now] = [draftOf(base), draftOf(stored)];
  const words = {
    name: "the name",
    url: "the address",
    useOAuth: "whether to sign in",
    scopes: "the scopes",
  };
  return keysOf(words)
    .filter((field) => now[field] !== before[field] && ![before[field], now[field]].includes(draft[field]))
    .map((field) => words[field]);
}

/** What saving this draft would leave behind, because its address is at another origin; in words. */
export function leavesBehind(draft: ServerDraft, server: ProjectServer): string[] {
  const to = URL.parse(draft.url.trim());
  const from = URL.parse(server.url ?? "");
  if (!to || !from || to.origin === from.origin) return [];
  return [
    ...(draft.replaceHeaders || typed(draft.headers).length > 0 ? [] : server.headerNames),
    ...(server.hasClientSecret && !draft.clientSecret ? ["the client secret"] : []),
    ...(server.useOAuth ? ["everybody's sign-in"] : []),
  ];
}

export function createBody(draft: ServerDraft) {
  return {
    name: draft.name.trim(),
    transportType: "http" as const,
    url: draft.url.trim(),
    ...optional(draft),
  };
}

/** Only what differs from the saved server; undefined when nothing does. */
export function updateBody(draft: ServerDraft, server: ProjectServer) {
  const { headers, oauthScopes = [], useOAuth = false, ...rest } = optional(draft);
  const body = {
    ...(draft.name.trim() !== server.name && { name: draft.name.trim() }),
    ...(draft.url.trim() !== (server.url ?? "") && { url: draft.url.trim() }),
    ...((draft.replaceHeaders || headers) && { headers: headers ?? {} }),
    ...(useOAuth !== server.useOAuth && { useOAuth }),
    ...(oauthScopes.join(" ") !== server.oauthScopes.join(" ") && { oauthScopes }),
    ...rest,
    ...(draft.clearClientSecret && !draft.clientSecret && { clearClientSecret: true as const }),
  };
  return Object.keys(body).length > 0 ? body : undefined;
}

/** A name alone is a header still to be entered. */
function typed(headers: readonly HeaderDraft[]): HeaderDraft[] {
  return headers.filter(({ name, value }) => name.trim() !== "" && value !== "");
}

function optional(draft: ServerDraft) {
  const headers = typed(draft.headers);
  const scopes = draft.scopes.split(/[\s,]+/).filter(Boolean);
  const seconds = Number(draft.timeoutSeconds);
  return {
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
    }),
    ...(draft.timeoutSeconds.trim() !== "" && seconds > 0 && { timeout: Math.round(seconds * 1000) }),
    ...(draft.useOAuth && { useOAuth: true }),
    ...(scopes.length > 0 && { oauthScopes: scopes }),
    ...(draft.clientId.trim() && { clientId: draft.clientId.trim() }),
    ...(draft.clientSecret && { clientSecret: draft.clientSecret }),
  };
}
