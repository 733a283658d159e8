/** @module Where a login is kept while it is used and renewed: in its file, which other processes use too, or in memory when it was typed. */
import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { McpError, type StoredCredential } from "@fettle/mcp";
import { withLock } from "../files/lock.ts";
import { type FileCredential, readCredentialsFile, saveCredentials } from "./credentials-file.ts";

export interface CredentialKeep {
  /** Runs `work` while nobody else reads or writes. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** As it is now, which may be newer than when the command began. */
  read(): Promise<StoredCredential>;
  write(credential: StoredCredential): Promise<void>;
}

/** Longer than an abandoned lock lasts, so that a process which died is never in the way. */
const patienceMs = 40_000;

export function keepInFile(file: FileCredential, serverUrl: string): CredentialKeep {
  let latest = file;
  return {
    async alone(work) {
      await refuseUnwritable(file.path);
      return withLock(`${file.path}.lock`, work, { patienceMs });
    },
    async read() {
      latest = await readCredentialsFile(file.path, serverUrl, { cwd: dirname(file.path), now: Date.now });
      const { accessToken, refreshToken, clientId = "", clientSecret, expiresAt } = latest.content;
      return {
        grant: "refresh_token",
        client: { clientId, ...(clientSecret !== undefined && { clientSecret }) },
        tokens: {
          // The one the command began with was either found too old to send, or sent.
          ...(accessToken !== undefined && accessToken !== file.content.accessToken && { accessToken }),
          ...(refreshToken !== undefined && { refreshToken }),
          ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
        },
      };
    },
    write: ({ tokens = {} }) => saveCredentials(latest, tokens),
  };
}

export function keepInMemory(credential: StoredCredential): CredentialKeep {
  let latest = credential;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    alone(work) {
      const mine = turn.then(work);
      turn = mine.catch(() => undefined);
      return mine;
    },
    read: async () => latest,
    async write({ tokens }) {
      latest = { ...latest, ...(tokens && { tokens }) };
    },
  };
}

/** Before the refresh token is spent on tokens that could not be kept. */
async function refuseUnwritable(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new McpError("OAUTH", `${path} holds an expired token and cannot be rewritten.`, {
      hint: "Renewed tokens are kept in that file; put it in a folder you may write to.",
      cause,
    });
  }
}
