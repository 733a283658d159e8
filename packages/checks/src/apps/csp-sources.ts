/** @module The origins a widget's content policy names, and those its source reaches for. */

const schemes = ["https:", "wss:"];

/**
 * What is wrong with one entry; undefined when nothing is. An entry is an origin, or one with a wildcard for its first label.
 *
 * @example
 * cspEntryFault("https://api.example.com/v1") // "has a path"
 */
export function cspEntryFault(entry: unknown): string | undefined {
  if (typeof entry !== "string" || entry === "") return "is not a non-empty string";
  if (entry === "*") return "allows everything";
  const withScheme = entry.includes("://") ? entry : `https://${entry}`;
  const url = URL.parse(withScheme.replace("://*.", "://wildcard."));
  if (!url) return "is not an origin";
  if (withScheme.indexOf("*") !== -1 && !/^[a-z]+:\/\/\*\.[^*]+$/.test(withScheme)) {
    return "has a wildcard elsewhere than in its first label";
  }
  if (url.username || url.password) return "holds credentials";
  if (url.pathname !== "/" || url.search || url.hash || /[^/]\/$/.test(entry)) return "has a path";
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (!schemes.includes(url.protocol) && !isLocal) return "is neither https nor wss";
  return undefined;
}

/**
 * Tags that load. A tag ends before the next one begins, so that a document without a single ">" is still read once and not once
 * per tag.
 */
const tags = /<(script|img|iframe|audio|video|source|embed|track|link)\b([^<>]*)>/gi;
const attribute = {
  src: /\bsrc\s*=\s*["']?(https?:\/\/[^"'\s>]+)/i,
  href: /\bhref\s*=\s*["']?(https?:\/\/[^"'\s>]+)/i,
};

/** Addresses in style sheets, imports and calls; links that are only clicked are no loads. */
const calls = [
  /\burl\(\s*["']?(https?:\/\/[^"')\s]+)/gi,
  /\b(?:fetch|import|WebSocket|EventSource|importScripts)\s*\(\s*["'`]((?:https?|wss?):\/\/[^"'`\s]+)/gi,
  /\bfrom\s*["'](https?:\/\/[^"'\s]+)/gi,
];

/** Origins the source loads from or connects to. */
export function loadedOrigins(source: string): string[] {
  const addresses: string[] = [];
  for (const [, tag = "", attributes = ""] of source.matchAll(tags)) {
    const named = attribute[tag.toLowerCase() === "link" ? "href" : "src"].exec(attributes);
    if (named?.[1]) addresses.push(named[1]);
  }
  for (const pattern of calls) {
    for (const [, address = ""] of source.matchAll(pattern)) addresses.push(address);
  }
  const urls = addresses.flatMap((address) => URL.parse(address) ?? []);
  return [...new Set(urls.map(({ protocol, host }) => `${protocol}//${host}`))];
}

export function isCovered(origin: string, entries: readonly string[]): boolean {
  const { host, protocol } = new URL(origin);
  return entries.some((entry) => {
    const [scheme, name] = entry.includes("://") ? entry.split("://") : [undefined, entry];
    if (scheme !== undefined && `${scheme}:` !== protocol) return false;
    return name?.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}
