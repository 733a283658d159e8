/** @module What a tool's result comes to, without keeping it: nothing, something, and whether it keeps to its schema. Pure. */

import { pointerStep } from "@fettle/contract/formats";
import { shortDigestOf } from "../digest.ts";
import { fieldsOf } from "../observed/fields.ts";
import type { PinnedTool } from "../observed/surface.ts";
import type { UnitCall } from "../observed/unit.ts";
import { identifierOf } from "../text/scrub.ts";
import { type Reading, textsOf } from "./reading.ts";
import type { OutputState, SchemaIssue } from "./unit-facts.ts";

const nothing =
  /^(?:\[\s*\]|\{\s*\}|null|none|no (?:results?|matches|items|entries|records)(?: (?:were )?found)?\.?)?$/i;

/** It went well and gave nothing. */
export function isEmptyResult({ end, result }: UnitCall): boolean {
  if (end !== "ok" || result === undefined) return false;
  const { structuredContent } = fieldsOf(result);
  if (structuredContent !== undefined) return isNothing(structuredContent);
  const texts = textsOf(result);
  const hasOther =
    Array.isArray(fieldsOf(result).content) && (fieldsOf(result).content as unknown[]).length > texts.length;
  return !hasOther && texts.every((text) => nothing.test(text.trim()));
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object" || value === null) return value === null || value === "";
  const lists = Object.values(value).filter((inner) => typeof inner === "object");
  // `{ items: [], total: 0 }` is nothing as well.
  return Object.keys(value).length === 0 || (lists.length > 0 && lists.every(isNothing));
}

export function resultDigest({ result }: UnitCall): string | null {
  if (result === undefined) return null;
  const { structuredContent } = fieldsOf(result);
  return shortDigestOf(structuredContent ?? textsOf(result));
}

/** Whether structured content is what the tool promises; null where it promises nothing, or nobody can tell. */
export function outputOf(
  { end, result }: UnitCall,
  tool: PinnedTool | undefined,
  reading: Reading,
): { output: OutputState; outputPath: string | null } {
  const unknown = { output: null, outputPath: null };
  // A result that was too large to keep is there as a text.
  if (!tool?.outputSchema || end !== "ok" || typeof result !== "object" || result === null) return unknown;
  const { structuredContent } = fieldsOf(result);
  if (structuredContent === undefined) return { output: "missing", outputPath: null };
  const verdict = judged(tool.outputSchema, structuredContent, reading);
  if (!verdict) return unknown;
  const [first] = verdict;
  return first ? { output: "violates", outputPath: first.path } : { output: "fits", outputPath: null };
}

/** Undefined: there is no telling. */
export function judged(
  schema: Record<string, unknown>,
  value: unknown,
  { judge }: Reading,
): SchemaIssue[] | undefined {
  try {
    const { faults, unchecked } = judge(schema, value);
    if (faults.length === 0 && unchecked.length > 0) return undefined;
    return issuesOf(faults);
  } catch {
    // A schema that cannot be applied says nothing about the value.
    return undefined;
  }
}

const mostIssues = 5;

function issuesOf(faults: readonly { at: string; keyword: string; message: string }[]): SchemaIssue[] {
  const issues = faults.map(({ at, keyword, message }): SchemaIssue => {
    const path = at === "" ? [] : at.split("/").map(pointerStep);
    // The place of what is missing is told in words alone.
    const missing = keyword === "required" ? /"(.*)"/s.exec(message)?.[1] : undefined;
    const names = missing === undefined ? path : [...path, missing];
    return {
      path: names.map((name) => (/^\d+$/.test(name) ? "[]" : identifierOf(name))).join("."),
      keyword: keyword === "false" ? "additionalProperties" : keyword,
    };
  });
  // A property that does not fit is also told as one too many.
  const told = new Set(
    issues.filter(({ keyword }) => keyword !== "additionalProperties").map(({ path }) => path),
  );
  const unique = new Map(
    issues
      .filter(({ keyword, path }) => keyword !== "additionalProperties" || !covers(told, path))
      .map((issue) => [`${issue.path} ${issue.keyword}`, issue]),
  );
  return [...unique.values()].slice(0, mostIssues);
}

const covers = (told: ReadonlySet<string>, path: string) =>
  told.has(path) || [...told].some((one) => one.startsWith(`${path}.`));
