/** @module Reads a SKILL.md: front matter with a name and a description, then instructions. */
import { limits } from "@fettle/contract/core";
import { isObject } from "@fettle/mcp";
import { parseDocument } from "yaml";
import { type Files, hashFiles, readText } from "./file-map.ts";

export interface ParsedSkill {
  name: string;
  description: string;
  /** SKILL.md as it was written. */
  source: string;
  /** The body, without the front matter. */
  content: string;
  /** Fields beyond name and description. */
  extraFrontmatter: string[];
  /** Everything beside SKILL.md, base64 by path. */
  files: Record<string, string>;
  aggregateHash: string;
}

export type SkillReading = { ok: true; skill: ParsedSkill } | { ok: false; problems: string[] };

/** Reads a skill's folder: SKILL.md at its root, supporting files beside it. */
export function readSkill(files: Files): SkillReading {
  const source = files.get("SKILL.md");
  if (!source) return failed("There is no SKILL.md.");
  const text = readText(source);
  if (text === undefined) return failed("SKILL.md is not UTF-8 text.");
  const parts = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s.exec(text);
  if (!parts) return failed("SKILL.md does not begin with front matter between two lines of ---.");
  const frontmatter = readFrontmatter(parts[1] ?? "");
  if (!frontmatter.ok) return failed(frontmatter.problem);
  const { name, description, ...extra } = frontmatter.fields;
  const problems = [...nameProblems(name), ...descriptionProblems(description)];
  if (problems.length > 0) return { ok: false, problems };
  const supporting = [...files].filter(([path]) => path !== "SKILL.md");
  return {
    ok: true,
    skill: {
      source: text,
      name: String(name),
      description: String(description).trim(),
      content: (parts[2] ?? "").trim(),
      extraFrontmatter: Object.keys(extra),
      files: Object.fromEntries(supporting.map(([path, content]) => [path, content.toString("base64")])),
      aggregateHash: hashFiles(files),
    },
  };
}

type Frontmatter = { ok: true; fields: Record<string, unknown> } | { ok: false; problem: string };

function readFrontmatter(text: string): Frontmatter {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault) {
    // The line of --- comes before, so that the number is the one an editor shows.
    const line = (fault.linePos?.[0].line ?? 0) + 1;
    return { ok: false, problem: `SKILL.md line ${line}: ${fault.message.split(" at line ")[0]}.` };
  }
  try {
    // No aliases: a few lines of them can unfold into gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (isObject(value)) return { ok: true, fields: value };
  } catch {
    return { ok: false, problem: "The front matter of SKILL.md uses aliases, which are not followed." };
  }
  return { ok: false, problem: "The front matter of SKILL.md is not a YAML mapping." };
}

function nameProblems(name: unknown): string[] {
  if (name === undefined || name === null) return ["There is no name."];
  const isName = typeof name === "string" && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name);
  if (isName && name.length <= limits.skills.nameLength) return [];
  return [
    `The name must be lower-case letters, digits and single hyphens, at most ${limits.skills.nameLength} long.`,
  ];
}

function descriptionProblems(description: unknown): string[] {
  if (description === undefined || description === null) return ["There is no description."];
  const isText = typeof description === "string" && description.trim() !== "";
  if (isText && description.length <= limits.skills.descriptionLength) return [];
  return [`The description must be a text of at most ${limits.skills.descriptionLength} characters.`];
}

function failed(problem: string): SkillReading {
  return { ok: false, problems: [problem] };
}
