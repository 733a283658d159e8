/** @module Where a command line may ask to be sent back to: its own machine, and nothing that could be mistaken for it. */

/** What the configuration document names; the port is whichever is free on the command line's machine (RFC 8252, 7.3). */
export const namedRedirectUri = "http://127.0.0.1/callback";

const hosts = new Set(["127.0.0.1", "localhost"]);

/**
 * Any port (RFC 8252, 7.3), because a command line takes the one that is free. The text must be exactly what a URL parser would
 * write, so that no two parsers can read two different places in it.
 */
export function isLoopbackRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.href !== text || text.length > 200) return false;
  return (
    url.protocol === "http:" &&
    hosts.has(url.hostname) &&
    url.port !== "" &&
    /^\/[\w/-]*$/.test(url.pathname) &&
    !url.username &&
    !url.password &&
    !text.includes("?") &&
    !text.includes("#")
  );
}

/** Sends the browser back with an answer; `iss` lets the client see who answered (RFC 9207). */
export function answerRedirect(redirectUri: string, answer: Record<string, string>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url.href;
}
