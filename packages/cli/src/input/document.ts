/** @module A JSON object that a command takes either in a file or in place. */
import { usageError } from "../cli-error.ts";
import type { Input } from "./input.ts";

export interface DocumentFlags {
  file: string | undefined;
  json: string | undefined;
}

/** The object of `--file` or `--json`, if either was typed. */
export async function readDocument(
  input: Input,
  { file, json }: DocumentFlags,
): Promise<Record<string, unknown> | undefined> {
  if (file !== undefined && json !== undefined) throw usageError("Use --file or --json, not both.");
  if (file !== undefined) return input.jsonObject("--file", file === "-" ? file : `@${file}`);
  return json === undefined ? undefined : input.jsonObject("--json", json);
}
