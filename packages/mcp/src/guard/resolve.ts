/** @module Resolve once, check every address, connect to what was checked: a name that changes its mind in between gains nothing. */
import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { McpError } from "../failure.ts";
import type { AddressZone } from "./addresses.ts";
import { checkDestination, type NetworkPolicy } from "./policy.ts";

export type Resolver = (hostname: string) => Promise<LookupAddress[]>;

type LookupArguments = Parameters<LookupFunction>;

export type CheckedLookup = (
  hostname: string,
  suppliedFrom: AddressZone | undefined,
  options: LookupArguments[1],
  callback: LookupArguments[2],
) => void;

/** A `lookup` for sockets: all addresses of the name must be allowed, or none is used. */
export function checkedLookup(policy: NetworkPolicy, resolve: Resolver = resolveBySystem): CheckedLookup {
  return (hostname, suppliedFrom, options, callback) => {
    resolve(hostname).then(
      (found) => {
        let first: LookupAddress;
        try {
          first = firstOf(found, hostname);
          for (const { address } of found)
            checkDestination(policy, { host: hostname, address, suppliedFrom });
        } catch (error) {
          callback(error as McpError, [], 0);
          return;
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, [], 0),
    );
  };
}

function resolveBySystem(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}

function firstOf([first]: LookupAddress[], hostname: string): LookupAddress {
  if (first) return first;
  throw new McpError("DNS_FAILED", `The name ${hostname} has no address.`, { details: { host: hostname } });
}
