/** @module Does the host get to the server at all: over its transport, at its address? Where that is not known, nothing is promised. */
import type { Draft, Rule } from "./apps-rules.ts";
import type { Confidence, HostFacts, HostReach } from "./host-facts.ts";
import type { CompatServer } from "./server-needs.ts";

export const transport: Rule = (host, { transport: kind, address }) => {
  const { stdio, sse, privateAddresses } = factsAbout(host);
  if (kind === "stdio") {
    if (stdio === undefined) return [unknown(host, "starts processes", { transport: kind })];
    if (stdio === "approved-desktop-partners") return [partnersOnly(host)];
    return stdio ? [] : [noProcesses(host)];
  }
  if (address === "private" && privateAddresses === false) return [outOfReach(host)];
  return [
    ...(kind === "sse" && sse === undefined
      ? [unknown(host, "speaks the HTTP+SSE transport of 2024-11-05", { transport: kind })]
      : []),
    ...(address === "private" && privateAddresses === undefined
      ? [unknown(host, "reaches addresses that are not public", { address })]
      : []),
    ...(address === "plain" && privateAddresses !== true
      ? [unknown(host, "takes an address without TLS", { address })]
      : []),
  ];
};

/** How sure it is that the host gets to this server; undefined where any host does, at a public HTTPS address. */
export function wayConfidence(
  { reach }: HostFacts,
  { transport: kind, address }: Pick<CompatServer, "transport" | "address">,
): Confidence | undefined {
  const isOpenToAll = kind === "streamable-http" && address === "public";
  return isOpenToAll ? undefined : reach?.confidence;
}

/** A catalogue from before there were facts of reach says only that a host takes remote servers alone. */
function factsAbout({ reach, limits }: HostFacts): Partial<HostReach> {
  return reach ?? (limits?.remoteServerRequired ? { stdio: false } : {});
}

function sourcesOf({ reach, limits }: HostFacts): Pick<Draft, "confidence" | "sources"> {
  const known = reach ?? limits;
  return known ? { confidence: known.confidence, sources: known.evidence } : {};
}

function noProcesses(host: HostFacts): Draft {
  return {
    severity: "blocker",
    code: "transport_unsupported",
    title: "The host takes remote servers only",
    detail: `${host.label} starts no processes; this server was reached over stdio.`,
    remediation: "Offer the server over Streamable HTTP.",
    evidence: { transport: "stdio" },
    ...sourcesOf(host),
  };
}

function partnersOnly(host: HostFacts): Draft {
  return {
    severity: "info",
    code: "transport_by_agreement",
    title: "Only for approved desktop partners",
    detail: `${host.label} starts processes in its desktop app alone, and only those of partners that its vendor approved.`,
    remediation: "Offer the server over Streamable HTTP, or ask the vendor for approval.",
    evidence: { transport: "stdio" },
    ...sourcesOf(host),
  };
}

function outOfReach(host: HostFacts): Draft {
  return {
    severity: "blocker",
    code: "address_unreachable",
    title: "The host needs a public HTTPS address",
    detail: `${host.label} connects from its vendor's network and cannot get to an address of this machine or network.`,
    remediation:
      "Deploy the server at a public HTTPS address, or put a tunnel before it; then check that address.",
    evidence: { address: "private" },
    ...sourcesOf(host),
  };
}

function unknown(host: HostFacts, what: string, evidence: Record<string, unknown>): Draft {
  return {
    severity: "info",
    code: "reach_unknown",
    title: "It is not known whether the host gets to this server",
    detail: `Nothing is recorded about whether ${host.label} ${what}.`,
    evidence,
    confidence: "low",
  };
}
