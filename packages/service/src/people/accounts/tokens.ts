/** @module Every secret we hand out: 256 random bits, a prefix that says what it opens, and a checksum that tells a typo from a try. */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { keysOf } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";

/** Distinct, so that a token in the wrong place is refused before any lookup, and a leaked one can be recognised by scanners. */
export const tokenPrefixes = {
  apiKey: "sk_",
  session: "fse_",
  /** Of a browser that somebody has signed in with. */
  device: "fdv_",
  signInLink: "fsl_",
  /** Sets a new password, once. */
  passwordLink: "fpl_",
  setup: "fsu_",
  invitation: "fin_",
  guest: "fgt_",
  cliCode: "fcc_",
  cliAccess: "fca_",
  cliRefresh: "fcr_",
  /** The private link of a connection request. */
  connection: "fcl_",
  /** In a tunnel's public address. */
  tunnelSecret: "ftk_",
  /** What a tunnel's host connects to the relay with. */
  tunnelConnect: "ftc_",
  /** In the link of a scenario, or of one person who is invited to it. */
  scenarioLink: "fsc_",
  /** Of a visitor who came by one. */
  visit: "fvt_",
} as const;
export type TokenKind = keyof typeof tokenPrefixes;

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 43;
const checksumLength = 6;

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), checksumLength);
}

/** The token to hand out once, and the hash to keep. */
export interface Minted {
  token: Secret;
  hash: string;
}

/**
 * @example
 * const { token, hash } = mintToken("apiKey");
 * token.reveal(); // "sk_" and 49 letters and digits
 */
export function mintToken(kind: TokenKind): Minted {
  return tokenFrom(kind, randomBytes(32));
}

/** The token that these 32 bytes make, always the same; for bytes that nobody can guess. */
export function tokenFrom(kind: TokenKind, bytes: Buffer): Minted {
  const start = tokenPrefixes[kind] + base62(BigInt(`0x${bytes.toString("hex")}`), randomLength);
  const token = start + checksum(start);
  return { token: new Secret(token), hash: hashToken(token) };
}

/** Plain SHA-256: with 256 random bits there is nothing to guess, so neither salt nor slowness adds anything. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** What a text claims to be, if it could have come from us at all. Says nothing about whether it still opens anything. */
export function recogniseToken(text: string): TokenKind | undefined {
  const kind = keysOf(tokenPrefixes).find((candidate) => text.startsWith(tokenPrefixes[candidate]));
  if (!kind || text.length !== tokenPrefixes[kind].length + randomLength + checksumLength) return undefined;
  return text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength)) ? kind : undefined;
}
