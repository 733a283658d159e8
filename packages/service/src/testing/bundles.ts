/** @module Uploads for tests: files as they are sent, written as plain text. */
import type { FileMap } from "@fettle/contract/environments";

export function bundle(texts: Record<string, string>): FileMap {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, Buffer.from(text).toString("base64")]),
  );
}

export function skillText(name: string, extra = ""): string {
  return `---\nname: ${name}\ndescription: Does a thing\n${extra}---\n\n# ${name}\n\nDo it.\n`;
}

export function skillFiles(name: string, others: Record<string, string> = {}, extra = ""): FileMap {
  return bundle({ "SKILL.md": skillText(name, extra), ...others });
}
