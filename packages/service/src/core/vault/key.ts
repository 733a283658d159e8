/** @module Where the vault's key comes from: the environment, or a file made in the data folder at the first start. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { Config } from "../config/config.ts";
import { StartError } from "../start-error.ts";

/** The key to seal with, and every key that may still be needed to open. */
export function findVaultKeys(config: Pick<Config, "secretKey" | "previousSecretKeys" | "dataFolder">): {
  current: Secret;
  previous: Secret[];
} {
  const path = join(config.dataFolder, "secret.key");
  if (!config.secretKey)
    return { current: readKey(path) ?? makeKey(path), previous: config.previousSecretKeys };
  // A service that began with its own file and was given a key later must still open what it sealed before.
  const file = readKey(path);
  return { current: config.secretKey, previous: [...config.previousSecretKeys, ...(file ? [file] : [])] };
}

function readKey(path: string): Secret | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.mode & 0o077) chmodSync(path, 0o600);
  const text = readFileSync(path, "utf8").trim();
  if (text.length < 32) {
    throw new StartError(
      "SECRET_KEY_MISSING",
      `The key file ${path} is damaged: it should hold 64 characters.`,
      "Restore it from a backup, or set FETTLE_SECRET_KEY. Secrets sealed with the lost key cannot be opened.",
    );
  }
  return new Secret(text);
}

/** Written aside, then linked into place: of two processes starting at once, one key wins and both use it. */
function makeKey(path: string): Secret {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = openSync(aside, "wx", 0o600);
  writeSync(file, `${randomBytes(32).toString("hex")}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(aside);
  }
  const key = readKey(path);
  if (!key) throw new Error(`the key file ${path} vanished while it was made`);
  return key;
}
