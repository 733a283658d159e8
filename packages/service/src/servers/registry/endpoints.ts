/** @module How an entry of a directory is reached: at one address, at one of several, or at one that differs from user to user. Pure. */

import { isIP } from "node:net";
import { textLimits } from "@fettle/contract/core";
import {
  type DirectoryRemote,
  type DirectoryRowType,
  type EndpointKind,
  registryLimits,
  type UnavailableReason,
  type VerifiedTier,
} from "@fettle/contract/servers";
import { bareHost, isLoopbackHost, zoneOfAddress } from "@fettle/mcp";
import type { DirectoryContent } from "../../core/tables/registry.ts";

export interface Endpoint {
  rowType: DirectoryRowType;
  unavailableReason: Exclude<UnavailableReason, "removed"> | null;
  endpointKind?: EndpointKind;
  remoteUrl?: string;
  remoteUrlOptions?: string[];
  remoteUrlRegex?: string;
  remoteUrlHint?: string;
}

/** What of a remote says where it is. */
export type Reached = Pick<DirectoryRemote, "url"> & {
  variables: readonly { name: string; choices?: string[] | undefined }[];
};

const variable = /\{([\w.-]{1,64})\}/g;
/** What may stand for a variable: nothing that ends a host, a path or a query. */
const anyValue = `[A-Za-z0-9._~-]{1,${registryLimits.variableLength}}`;

/**
 * Whether an address, or one with variables, is one that may be kept. A directory on the network must not point at this
 * machine or its neighbours: whoever reads it would be asking there, not its writer.
 */
export function refusalOf(remote: Reached, isTrusted: boolean): DirectoryContent["leftOut"] {
  const urls = addressesOf(remote) ?? [remote.url];
  return urls.map((url) => refusalOfOne(url, isTrusted)).find((refusal) => refusal !== undefined);
}

function refusalOfOne(url: string, isTrusted: boolean): DirectoryContent["leftOut"] {
  const parsed = withoutVariables(url);
  const isTemplate = variablesIn(url).length > 0;
  if (!parsed || (isTemplate && !/^[\x21-\x7e]+$/.test(url))) {
    return isTemplate ? "pattern_unusable" : "address_not_allowed";
  }
  const isPlain = parsed.username === "" && parsed.password === "" && url.length <= textLimits.addressLength;
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  if (isTemplate && !isWeb) return "pattern_unusable";
  return isPlain && isWeb && (isTrusted || isOutside(parsed)) ? undefined : "address_not_allowed";
}

/** As it is kept: what has no variables in the spelling of URLs, so that nothing in it hides. */
export function keptAddress(url: string): string {
  return variablesIn(url).length > 0 ? url : new URL(url).href;
}

function isOutside({ hostname }: URL): boolean {
  const host = bareHost(hostname);
  return isIP(host) === 0 ? !isLoopbackHost(host) : zoneOfAddress(host) === "public";
}

/** With something harmless in place of its variables: a letter, or a digit where only a port can stand. */
function withoutVariables(url: string): URL | null {
  return URL.parse(url.replace(variable, "x")) ?? URL.parse(url.replace(variable, "1"));
}

function variablesIn(url: string): string[] {
  return [...url.matchAll(variable)].map(([, name = ""]) => name);
}

export function endpointOf({ remotes, packages, leftOut }: DirectoryContent): Endpoint {
  if (remotes.length === 0) {
    if (leftOut) return { rowType: "remote", unavailableReason: leftOut };
    return packages.length > 0
      ? { rowType: "package", unavailableReason: "package_only" }
      : { rowType: "listing", unavailableReason: "no_endpoint" };
  }
  const rowType = "remote";
  const options = remotes.map(addressesOf);
  const urls = [...new Set(options.flatMap((each) => each ?? []))];
  const templates = remotes.filter((each, at) => options[at] === undefined && patternOf(each) !== undefined);
  const [template] = templates;
  if (template) {
    const patterns = templates.map(patternOf);
    return {
      rowType,
      unavailableReason: null,
      endpointKind: "tenant",
      remoteUrlRegex: `^(?:${[...patterns, ...urls.map(escaped)].join("|")})$`,
      remoteUrlHint: template.url,
    };
  }
  const [first] = urls;
  if (first === undefined || urls.length > registryLimits.options) {
    return { rowType, unavailableReason: "pattern_unusable" };
  }
  return urls.length === 1
    ? { rowType, unavailableReason: null, endpointKind: "fixed", remoteUrl: first }
    : { rowType, unavailableReason: null, endpointKind: "options", remoteUrlOptions: urls };
}

/** The remote that an address was chosen from. */
export function remoteAt(
  { remotes }: Pick<DirectoryContent, "remotes">,
  url: string,
): DirectoryContent["remotes"][number] | undefined {
  return remotes.find((remote) => {
    const addresses = addressesOf(remote);
    return addresses ? addresses.includes(url) : new RegExp(`^${patternOf(remote)}$`).test(url);
  });
}

/** Every address a remote comes to, when its variables are chosen from short lists; undefined when they are free. */
function addressesOf({ url, variables }: Reached): string[] | undefined {
  let urls = [url];
  for (const name of new Set(variablesIn(url))) {
    const choices = variables.find((each) => each.name === name)?.choices ?? [];
    if (choices.length === 0 || urls.length * choices.length > registryLimits.options) return undefined;
    urls = choices.flatMap((choice) => urls.map((each) => each.replaceAll(`{${name}}`, () => choice)));
  }
  return urls;
}

/** Each free part multiplies the ways a pattern can fit, so there are few and each is short. */
function patternOf({ url, variables }: Reached): string | undefined {
  const names = variablesIn(url);
  if (names.length > registryLimits.variables) return undefined;
  const parts = url.split(variable).map((part, at) => {
    if (at % 2 === 0) return escaped(part);
    const choices = variables.find(({ name }) => name === part)?.choices ?? [];
    return choices.length === 0 ? anyValue : `(?:${choices.map(escaped).join("|")})`;
  });
  return parts.join("");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Nothing proves who wrote an entry but its address: only who holds a domain lets a server answer there. */
export function tierOf(name: string, remotes: readonly DirectoryRemote[]): VerifiedTier {
  const [namespace = ""] = name.split("/");
  const domain = namespace.toLowerCase().split(".").reverse().join(".");
  if (remotes.length === 0 || !domain.includes(".")) return "none";
  const isUnder = ({ url }: DirectoryRemote) => {
    const host = withoutVariables(url)?.hostname ?? "";
    return host === domain || host.endsWith(`.${domain}`);
  };
  return remotes.every(isUnder) ? "domain" : "none";
}
