/** @module The OAuth credentials file: read with care, bound to one server, and rewritten when its tokens are renewed. */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isBearerType } from "@fettle/mcp";
import { usageError } from "../cli-error.ts";
import { writeAtomically } from "../files/atomic-write.ts";
import { isRecord } from "../files/read-json.ts";
import { whyUnreadable } from "../files/unreadable.ts";
import { shellWords } from "../output/shell-words.ts";
import type { World } from "../world.ts";

export interface CredentialsFile {
  version: 1;
  serverUrl: string;
  accessToken?: string;
  refreshToken?: string;
  clientId?: string;
  clientSecret?: string;
  tokenType?: string;
  /** ISO 8601. */
  expiresAt?: string;
  protocolVersion?: string;
}

export interface FileCredential {
  path: string;
  content: CredentialsFile;
  /** The access token can be used as it is. */
  isFresh: boolean;
}

/** A token this close to its end may be over before it arrives. */
const marginMs = 60_000;

export async function readCredentialsFile(
  path: string,
  serverUrl: string,
  { cwd, now }: Pick<World, "cwd" | "now">,
): Promise<FileCredential> {
  const absolute = resolve(cwd, path);
  let text: string;
  try {
    text = await readFile(absolute, "utf8");
  } catch (cause) {
    throw usageError(`--credentials-file cannot be read: ${whyUnreadable(cause)}.`, {
      cause,
    });
  }
  const content = parseCredentials(text);
  if (canonical(content.serverUrl) !== canonical(serverUrl)) {
    throw usageError(`--credentials-file is for ${content.serverUrl}, not for this server.`, {
      hint: "A credential is only ever sent to the server it was issued for.",
    });
  }
  const isFresh =
    content.accessToken !== undefined &&
    (content.expiresAt === undefined || Date.parse(content.expiresAt) - now() > marginMs);
  if (!isFresh && content.refreshToken === undefined) {
    throw usageError("--credentials-file holds an expired token and nothing to renew it with.", {
      hint: "Sign in again",
      nextCommand: shellWords([
        "fettle",
        "oauth",
        "login",
        "--url",
        content.serverUrl,
        "--credentials-out",
        path,
      ]),
    });
  }
  return { path: absolute, content, isFresh };
}

/** Keeps renewed tokens: a server that rotates refresh tokens has just made the old one worthless. */
export async function saveCredentials(
  { path, content }: FileCredential,
  tokens: { accessToken?: string; refreshToken?: string; expiresAt?: number },
): Promise<void> {
  const { expiresAt, ...rest } = tokens;
  const { expiresAt: _expired, ...kept } = content;
  const renewed: CredentialsFile = {
    ...kept,
    ...rest,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
  await writeCredentials(path, renewed);
}

/** For its owner's eyes only. */
export async function writeCredentials(path: string, content: CredentialsFile): Promise<void> {
  await writeAtomically(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

function parseCredentials(text: string): CredentialsFile {
  const wrong = (what: string) => usageError(`--credentials-file is not usable: ${what}.`);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw wrong("it is not JSON");
  }
  if (!isRecord(file) || file.version !== 1) throw wrong("its version is not 1");
  const { serverUrl, expiresAt } = file;
  if (typeof serverUrl !== "string" || !/^https?:$/.test(URL.parse(serverUrl)?.protocol ?? "")) {
    throw wrong("serverUrl is not an http or https address");
  }
  const words = [
    "accessToken",
    "refreshToken",
    "clientId",
    "clientSecret",
    "tokenType",
    "protocolVersion",
  ] as const;
  const content: CredentialsFile = { version: 1, serverUrl };
  for (const key of words) {
    const value = file[key];
    if (value === undefined) continue;
    if (typeof value !== "string" || value === "") throw wrong(`${key} is not a text`);
    content[key] = value;
  }
  if (content.tokenType !== undefined && !isBearerType(content.tokenType)) {
    throw wrong("its tokenType is not Bearer, the only one that can be used here");
  }
  if (content.accessToken === undefined && content.refreshToken === undefined) {
    throw wrong("it holds neither an accessToken nor a refreshToken");
  }
  if (content.refreshToken !== undefined && content.clientId === undefined) {
    throw wrong("a refreshToken needs a clientId");
  }
  if (expiresAt !== undefined) {
    if (typeof expiresAt !== "string" || Number.isNaN(Date.parse(expiresAt)))
      throw wrong("expiresAt is not a date");
    content.expiresAt = expiresAt;
  }
  return content;
}

/** Origin, path without trailing slashes, query. */
function canonical(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname.replace(/\/+$/, "")}${url.search}` : address;
}
