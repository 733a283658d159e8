/** @module Which addresses may be reached: the one rule for every URL that a person or a server supplies. */
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { McpError } from "../failure.ts";
import { type AddressZone, addressInNetwork, zoneOfAddress } from "./addresses.ts";

/**
 * `hosted`: the open internet only. `local`: also this machine and private networks, because they are the person's own.
 * Link-local and metadata addresses are reached in neither.
 */
export type GuardMode = "hosted" | "local";

export interface NetworkPolicy {
  mode: GuardMode;
  /** What an operator allows besides: an address, a network (`10.1.0.0/16`), a host name, or `*.suffix`. */
  exceptions: readonly string[];
  /**
   * Where every request goes instead of the network: a stream to a server of our own, whatever address the URL names.
   * Nothing is looked up and nothing else can be reached, redirects included.
   */
  dial?: () => Duplex;
}

export const localPolicy: NetworkPolicy = { mode: "local", exceptions: [] };
export const hostedPolicy: NetworkPolicy = { mode: "hosted", exceptions: [] };

export interface Destination {
  /** Host as written in the URL, without brackets. */
  host: string;
  address: string;
  /**
   * Zone of the server that supplied this URL; absent when a person typed it. A server on the open internet must not
   * be able to point a client at its own machine or network (`local` mode would let it).
   */
  suppliedFrom?: AddressZone | undefined;
}

/** The zone of the address when it may be reached; BLOCKED_ADDRESS otherwise. */
export function checkDestination(policy: NetworkPolicy, destination: Destination): AddressZone {
  const zone = zoneOfAddress(destination.address);
  if (isAllowed(policy, zone, destination)) return zone;
  throw new McpError(
    "BLOCKED_ADDRESS",
    `${destination.host} is at ${destination.address}, which is ${zoneWords[zone]}; it is not contacted.`,
    {
      hint:
        policy.mode === "hosted"
          ? "Only public addresses are reached from a hosted service. An operator may list an exception, or use a tunnel."
          : destination.suppliedFrom === "public"
            ? "A public server pointed here; only a person may choose addresses on this machine or network."
            : "Link-local, metadata and reserved addresses are never contacted.",
      details: { host: destination.host, address: destination.address, zone },
    },
  );
}

/** Parses a URL for use: http or https, no credentials inside, host present; the address is checked on connecting. */
export function checkUrl(address: string | URL): URL {
  const url = typeof address === "string" ? URL.parse(address) : new URL(address);
  if (!url) throw new McpError("BAD_TARGET", `"${String(address)}" is not a URL.`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new McpError("BAD_TARGET", `Only http and https are spoken, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new McpError("BAD_TARGET", "The URL holds a user name or password.", {
      hint: "Send credentials in a header instead.",
    });
  }
  return url;
}

/** OAuth endpoints carry secrets, so they are https, or http on this machine (SAFETY: URLs from servers). */
export function checkOauthUrl(address: string): URL {
  const url = checkUrl(address);
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    throw new McpError("OAUTH", `${url.origin} is not https; OAuth over plain http is only for loopback.`, {
      details: { url: url.href },
    });
  }
  return url;
}

export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname).replace(/\.$/, "").toLowerCase();
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return isIP(host) !== 0 && zoneOfAddress(host) === "loopback";
}

/** A URL's `hostname` without the brackets of an IPv6 literal. */
export function bareHost(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

function isAllowed(policy: NetworkPolicy, zone: AddressZone, destination: Destination): boolean {
  if (zone === "public") return true;
  if (policy.exceptions.some((exception) => addressInNetwork(destination.address, exception))) return true;
  // A name may be re-pointed by whoever holds it, so a listed name never opens metadata or reserved ranges.
  if (zone !== "private" && zone !== "loopback") return false;
  if (policy.exceptions.some((exception) => hostMatches(destination.host, exception))) return true;
  return policy.mode === "local" && destination.suppliedFrom !== "public";
}

function hostMatches(host: string, exception: string): boolean {
  const name = host.replace(/\.$/, "").toLowerCase();
  const listed = exception.toLowerCase();
  return listed.startsWith("*.") ? name.endsWith(listed.slice(1)) : name === listed;
}

const zoneWords: Record<AddressZone, string> = {
  public: "public",
  private: "in a private network",
  loopback: "this machine itself",
  "link-local": "link-local",
  metadata: "a cloud metadata service",
  reserved: "in a reserved range",
};
