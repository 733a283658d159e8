/** @module The inspector's own files: the person's alone, and never half written. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { codeOf } from "@fettle/contract/core";

/** Beside its name first, then in its place. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = await open(aside, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
