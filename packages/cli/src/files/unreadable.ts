/** @module Why a file could not be read, in words: the system's own sentence is for programmers. */
import { codeOf } from "@fettle/contract/core";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
};

/**
 * @example
 * usageError(`--config cannot be read: ${whyUnreadable(cause)}.`); // "--config cannot be read: there is no such file (/tmp/none.json)."
 */
export function whyUnreadable(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const reason = reasons[String(codeOf(cause))];
  if (!reason) return cause.message;
  return "path" in cause && cause.path !== undefined ? `${reason} (${cause.path})` : reason;
}
