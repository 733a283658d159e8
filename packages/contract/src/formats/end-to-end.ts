/** @module Which headers are about the message, and which about one connection only: a proxy never passes those on (RFC 9110, 7.6.1). */

const ofTheConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "http2-settings",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  // Said anew by whoever sends the message on.
  "content-length",
]);

/**
 * Leaves out what was meant for the connection, by its own name or because `Connection` names it.
 *
 * @example
 * endToEnd([["connection", "x-hop"], ["x-hop", "1"], ["accept", "text/plain"]]); // [["accept", "text/plain"]]
 */
export function endToEnd(headers: Iterable<readonly [string, string]>): [string, string][] {
  const all = [...headers];
  const named = new Set(
    all
      .filter(([name]) => /^(proxy-)?connection$/i.test(name))
      .flatMap(([, value]) => value.split(",").map((word) => word.trim().toLowerCase())),
  );
  return all.flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    return ofTheConnection.has(lower) || named.has(lower) ? [] : [[name, value]];
  });
}
