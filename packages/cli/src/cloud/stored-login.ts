/** @module The login kept on disk by `cloud login`: its shape, and reading, writing and removing the file. */
import { readFile, rm } from "node:fs/promises";
import { codeOf } from "@fettle/contract/core";
import { writeAtomically } from "../files/atomic-write.ts";
import { isRecord, readJsonIfAny } from "../files/read-json.ts";
import { whyUnreadable } from "../files/unreadable.ts";

export interface StoredLogin {
  version: 1;
  issuer: string;
  clientId: string;
  tokenEndpoint: string;
  /** Where a logout tells the service to forget this login. */
  revocationEndpoint?: string;
  apiUrl?: string;
  email?: string;
  plan?: string;
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds. */
  expiresAt?: number;
}

const required = ["issuer", "clientId", "tokenEndpoint", "accessToken"] as const;
const optional = ["revocationEndpoint", "email", "plan", "refreshToken"] as const;

/** Anything that is not a login reads as "not signed in", never as a crash; an unusable `apiUrl` is dropped. */
export function parseStoredLogin(value: unknown): StoredLogin | undefined {
  if (!isRecord(value) || value.version !== 1) return undefined;
  const text = (name: string) => {
    const held = value[name];
    return typeof held === "string" && held !== "" ? held : undefined;
  };
  if (required.some((name) => text(name) === undefined)) return undefined;
  const known = [...required, ...optional].map((name) => [name, text(name)] as const);
  const apiUrl = text("apiUrl");
  return {
    version: 1,
    ...Object.fromEntries(known.filter(([, held]) => held !== undefined)),
    ...(apiUrl && URL.canParse(apiUrl) && { apiUrl }),
    ...(typeof value.expiresAt === "number" && { expiresAt: value.expiresAt }),
  } as StoredLogin; // All required names were found above.
}

export async function readStoredLogin(path: string): Promise<StoredLogin | undefined> {
  return parseStoredLogin(await readJsonIfAny(path));
}

/** Why a file that is there is no login: being told "not signed in" alone would send the person to look in the wrong place. */
export async function unreadableLogin(path: string): Promise<string | undefined> {
  try {
    if (parseStoredLogin(JSON.parse(await readFile(path, "utf8")))) return undefined;
    return `${path} is there, but holds no login.`;
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    return `${path} is there, but ${cause instanceof SyntaxError ? "is not JSON" : `cannot be read: ${whyUnreadable(cause)}`}.`;
  }
}

export async function writeStoredLogin(path: string, login: StoredLogin): Promise<void> {
  await writeAtomically(path, `${JSON.stringify(login)}\n`, { mode: 0o600, folderMode: 0o700 });
}

export async function removeStoredLogin(path: string): Promise<void> {
  await rm(path, { force: true });
}

const nearExpiry = 60_000;

/** True when the access token is about to be refused, or has been for a while. */
export function needsRefresh(login: StoredLogin, now: number): boolean {
  return login.expiresAt !== undefined && login.expiresAt - now < nearExpiry;
}

/** True when nothing short of signing in again can help. */
export function isDead(login: StoredLogin, now: number): boolean {
  return login.refreshToken === undefined && login.expiresAt !== undefined && login.expiresAt <= now;
}
