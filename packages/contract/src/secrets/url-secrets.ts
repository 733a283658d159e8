/** @module What of an address is secret: the values of its query, its user and password, its fragment. Shown masked, and told apart from a new value when it comes back. */
import { decodedPart } from "../formats/address-part.ts";
import { isSecretName } from "./redact.ts";

/** What stands where a secret is not shown. */
export const mask = "***";

/**
 * The address as people may see it. Names stay, so that one can tell what is sent; values never do.
 *
 * @example
 * maskUrl("https://u:p@host/mcp?token=abc&v=2#part"); // "https://***@host/mcp?token=***&v=***#***"
 */
export function maskUrl(address: string): string {
  const url = URL.parse(address);
  // What is no address has no parts to tell apart; up to the first sign of one it is no secret.
  if (!url) return address.replace(/[?#].*$/s, (rest) => `${rest[0]}${mask}`);
  const hasUser = url.username !== "" || url.password !== "";
  const hash = url.hash === "" ? "" : `#${mask}`;
  url.username = "";
  url.password = "";
  const bare = withParts(url, maskQuery(url.search), hash);
  return hasUser ? bare.replace("://", `://${mask}@`) : bare;
}

/** A query without its values; what has no name is a value. */
export function maskQuery(search: string): string {
  if (search.length < 2) return search;
  const masked = pairsOf(search).map(({ name, value }) => {
    if (name === undefined) return value === "" ? "" : mask;
    return value === "" ? `${name}=` : `${name}=${mask}`;
  });
  return `?${masked.join("&")}`;
}

/**
 * The secrets of an address, to be looked for elsewhere: as they are written in it, and as they are meant. A word, a
 * number or a date under a name that tells no secret (`?mode=readonly&v=2025-11-25`) is masked where the address is
 * shown, but is no secret by itself: taking it out of every text would spoil what people read.
 */
export function secretsInUrl(address: string): string[] {
  const url = URL.parse(address);
  if (!url) return [];
  const telling = pairsOf(url.search).flatMap(({ name, value }) =>
    (name !== undefined && isSecretName(name)) || !isOrdinary(decoded(value)) ? [value] : [],
  );
  const written = [...telling, url.username, url.password, url.hash.slice(1)];
  return [...new Set(written.flatMap((value) => [value, decoded(value)]))].filter((value) => value !== "");
}

const isOrdinary = (value: string) => /^(?:[a-z]{0,15}|[\d.:TZ-]{0,15})$/i.test(value);

export type SentBack =
  /** Nothing of it is masked. */
  | { kind: "whole"; url: string }
  /** Every secret of it was masked, and has its stored value again. */
  | { kind: "unmasked"; url: string }
  | { kind: "refused"; reason: string };

/**
 * An address that somebody sends may be one they were shown. A masked value means the stored one; it is put back only
 * where that one already goes, and never guessed.
 *
 * @example
 * unmaskUrl("https://host/v2?key=***", "https://host/v1?key=abc"); // { kind: "unmasked", url: "https://host/v2?key=abc" }
 */
export function unmaskUrl(sent: string, stored: string | undefined): SentBack {
  const url = URL.parse(sent);
  if (!url) return { kind: "whole", url: sent };
  const pairs = pairsOf(url.search);
  const values = [...pairs.map(({ value }) => value), url.username, url.password, url.hash.slice(1)]
    .map(decoded)
    .filter((value) => value !== "");
  if (!values.some((value) => value.includes(mask))) return { kind: "whole", url: sent };
  if (!values.every((value) => value === mask)) {
    return refused("Some of its values are masked and others are not. Send all of them, or none");
  }
  const known = stored === undefined ? null : URL.parse(stored);
  if (!known) return refused("Its values are masked, and no address is stored that they could be taken from");
  if (known.origin !== url.origin) {
    return refused("Its values are masked, and those that are stored belong to another origin");
  }
  const left = pairsOf(known.search);
  const whole: string[] = [];
  for (const { name, value } of pairs) {
    const at = left.findIndex((pair) => pair.name === name);
    const [own] = at === -1 ? [] : left.splice(at, 1);
    if (value !== "" && !own) {
      return refused(`It has a masked value for ${JSON.stringify(name ?? "")}, for which none is stored`);
    }
    const kept = value === "" ? "" : (own?.value ?? "");
    whole.push(name === undefined ? kept : `${name}=${kept}`);
  }
  const hash = url.hash === "" ? "" : known.hash;
  const search = pairs.length === 0 ? "" : `?${whole.join("&")}`;
  // One mask is shown for both.
  if (url.username !== "" || url.password !== "") {
    url.username = known.username;
    url.password = known.password;
  }
  return { kind: "unmasked", url: withParts(url, search, hash) };
}

function refused(reason: string): SentBack {
  return { kind: "refused", reason: `${reason}.` };
}

interface Pair {
  /** Absent: there is no `=`. */
  name?: string;
  value: string;
}

/** As they are written, in their order, repeated names included. */
function pairsOf(search: string): Pair[] {
  if (search.length < 2) return [];
  return search
    .slice(1)
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      return at === -1 ? { value: pair } : { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
}

/** `URL` would write the masks' own characters anew, so the parts are put behind it as text. */
function withParts(url: URL, search: string, hash: string): string {
  const bare = new URL(url);
  bare.search = "";
  bare.hash = "";
  return `${bare.href}${search}${hash}`;
}

const decoded = (value: string) => decodedPart(value.replaceAll("+", " "));
