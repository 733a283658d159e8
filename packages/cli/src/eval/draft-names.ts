/** @module What a drafted suite is called, and what stands above it. */
import type { SuiteFile } from "@fettle/evals";
import { count } from "../output/table.ts";

export const suiteComment = [
  "Drafted from the server's tools: a beginning, to be corrected.",
  "Write prompts as your users would, and expect what they need.",
  "Check it with `fettle eval validate`, run it with `fettle eval run`.",
].join("\n");

/** How much of a draft runs, and why the rest does not: a green first run must not look like more than it is. */
export function draftedText({ cases }: SuiteFile): string {
  const off = cases.filter(({ disabled }) => disabled === true).length;
  const drafted = `${count(cases.length, "case")}, ${cases.length - off} enabled`;
  if (off === 0) return drafted;
  return off === 1
    ? `${drafted}; 1 is disabled until you have read it: its intent says why`
    : `${drafted}; ${off} are disabled until you have read them: each one's intent says why`;
}

/** A server's own name as part of a path and of an id: it may say anything, and this is what is left of it. */
export function serverSlug(name: unknown): string {
  const words = typeof name === "string" ? name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "") : "";
  return words.slice(0, 60) || "server";
}
