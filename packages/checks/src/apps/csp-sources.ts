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

/** Addresses in style sheets. */
const styled = /\burl\(\s*["']?(https?:\/\/[^"')\s]+)/gi;
/** Addresses in imports and calls; one that a script only holds is no load. */
const calls = [
  /\b(?:fetch|import|WebSocket|EventSource|importScripts)\s*\(\s*["'`]((?:https?|wss?):\/\/[^"'`\s]+)/gi,
  /\b(?:import|export)\b[^"';]{0,200}\bfrom\s*["'](https?:\/\/[^"'\s]+)/gi,
  /\bimport\s*["'](https?:\/\/[^"'\s]+)/gi,
];

/** Origins the source loads from or connects to. */
export function loadedOrigins(source: string): string[] {
  const addresses: string[] = [];
  const { markup, scripts } = partsOf(source);
  for (const [, tag = "", attributes = ""] of markup.matchAll(tags)) {
    const named = attribute[tag.toLowerCase() === "link" ? "href" : "src"].exec(attributes);
    if (named?.[1]) addresses.push(named[1]);
  }
  for (const [, address = ""] of markup.matchAll(styled)) addresses.push(address);
  for (const pattern of calls) {
    for (const [, address = ""] of scripts.matchAll(pattern)) addresses.push(address);
  }
  const urls = addresses.flatMap((address) => URL.parse(address) ?? []);
  return [...new Set(urls.map(({ protocol, host }) => `${protocol}//${host}`))];
}

/** The document without what stands in its scripts, and that. Bundled script holds tags and style sheets as mere texts. */
function partsOf(source: string): { markup: string; scripts: string } {
  const lower = source.toLowerCase();
  const markup: string[] = [];
  const scripts: string[] = [];
  let at = 0;
  for (;;) {
    const tag = lower.indexOf("<script", at);
    const begin = tag === -1 ? -1 : lower.indexOf(">", tag);
    if (begin === -1) break;
    const end = lower.indexOf("</script", begin);
    markup.push(source.slice(at, begin + 1));
    scripts.push(source.slice(begin + 1, end === -1 ? undefined : end));
    at = end === -1 ? source.length : end;
  }
  markup.push(source.slice(at));
  return { markup: markup.join("\n"), scripts: scripts.join("\n") };
}

export function isCovered(origin: string, entries: readonly string[]): boolean {
  const { host, protocol } = new URL(origin);
  return entries.some((entry) => {
    const [scheme, name] = entry.includes("://") ? entry.split("://") : [undefined, entry];
    if (scheme !== undefined && `${scheme}:` !== protocol) return false;
    return name?.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}
