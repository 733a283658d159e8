/** @module Addresses that came from outside, made safe before the browser goes there. */

/**
 * A path of this site, or the fallback. `//evil.example` and `/\evil.example` look like paths but lead away.
 *
 * @example
 * ownPath("/p/prj_1?x=1", "/", "https://fettle.example") // "/p/prj_1?x=1"
 */
export function ownPath(text: string | null, fallback: string, origin: string): string {
  if (!text?.startsWith("/")) return fallback;
  const url = URL.parse(text, origin);
  return url?.origin === origin ? url.pathname + url.search + url.hash : fallback;
}

/** A plain-HTTP address of this very machine, as the command line listens on; anything else is refused. */
export function loopbackUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url?.protocol !== "http:" || url.username !== "" || url.password !== "") return null;
  return ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname) ? url : null;
}

/** An address on the web that the browser may be sent to: encrypted, or this very machine. Never one that runs as script. */
export function webUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url?.protocol === "https:" ? url : loopbackUrl(text);
}

/** Takes a secret out of the address bar and history, and returns it. Secrets of links travel in the fragment, which no server sees. */
export function takeFragment(name: string): string | null {
  const value = new URLSearchParams(location.hash.slice(1)).get(name);
  if (value !== null) history.replaceState(null, "", location.pathname + location.search);
  return value;
}
