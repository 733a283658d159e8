/** @module One source that a widget declares: what it may look like, and where it may lie. Nothing else ever reaches a policy header. Pure. */

/** Of one declaration; what comes after is dropped, and said so. */
export const sourceBounds = { count: 64, bytes: 2_048 };

const grammar =
  /^(https|wss|http):\/\/(\*\.)?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*)(?::(\d{1,5}))?$/;
const bareHost = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/;

export interface Deployment {
  /** `hosted`: many people's browsers; what lies in a private network, or is ours, is never reached from a widget. */
  mode: "local" | "hosted";
  /** Host names of the app, the API and the widgets' own origin. */
  ownHosts: readonly string[];
}

export type ReadSource = { source: string } | { fault: string };

/**
 * @example
 * readSource("api.example.com", { mode: "hosted", ownHosts: [] })  // { source: "https://api.example.com" }
 * readSource("https://a.b/c", { mode: "hosted", ownHosts: [] })    // { fault: "is no origin" }
 */
export function readSource(entry: unknown, deployment: Deployment): ReadSource {
  if (typeof entry !== "string") return { fault: "is no text" };
  const written = entry.trim().toLowerCase().replace(/\/$/, "");
  if (written === "*" || /^[a-z]+:$/.test(written)) return { fault: "names no host, but everything" };
  const [, scheme, wildcard, host, port] =
    grammar.exec(bareHost.test(written) ? `https://${written}` : written) ?? [];
  if (!scheme || !host) return { fault: "is no origin" };
  if (port && Number(port) > 65_535) return { fault: "is no origin" };
  const isLoopback = host === "localhost" || host === "127.0.0.1" || host.endsWith(".localhost");
  if (scheme === "http" && !(deployment.mode === "local" && isLoopback && !wildcard)) {
    return { fault: "is not encrypted" };
  }
  if (wildcard && !host.includes(".")) return { fault: "stands for a whole top-level domain" };
  // A number in another shape is an address all the same: what a browser would make of it is what counts.
  const name = URL.parse(`https://${host}`)?.hostname;
  if (name !== host) return { fault: "is no origin" };
  if (deployment.mode === "hosted" && (isLoopback || isAddress(host) || isPrivateName(host))) {
    return { fault: "lies in a private network" };
  }
  if (deployment.ownHosts.some((own) => own === host || (wildcard && own.endsWith(`.${host}`)))) {
    return { fault: "is this service" };
  }
  return { source: `${scheme}://${wildcard ?? ""}${host}${port ? `:${port}` : ""}` };
}

/** All of them: which machine a number is differs from network to network. */
const isAddress = (host: string) => /^[\d.]+$/.test(host);
const isPrivateName = (host: string) =>
  !host.includes(".") || /\.(local|internal|lan|home|corp|test|invalid)$/.test(host);
