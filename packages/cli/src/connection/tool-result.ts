/** @module A tool's result: for eyes, and as the report of what was expected of it. */
import {
  type ReportCase,
  type ReportInput,
  resultReason,
  toJsonSummary,
  toJunitXml,
  toolResultFaults,
} from "@fettle/checks";
import { parseExactNumbers } from "@fettle/contract/formats";
import { isObject, type JsonObject, redactKnowing } from "@fettle/mcp";
import { outline } from "../output/outline.ts";
import { lines, style, type Text, text } from "../output/text.ts";
import { contentText } from "./content.ts";

export interface Expectations {
  validateResponse: boolean;
  expectSuccess: boolean;
  reporter?: "json-summary" | "junit-xml" | undefined;
}

export interface ResultReport {
  failures: ReportCase[];
  /** What was to be held to a schema and could not be. */
  unchecked: string[];
  document(facts: { toolName: string; durationMs: number }): string;
}

/** `structured`: what the tool's own output schema says of the result, when it was asked. */
export function reportOf(expected: Expectations, result: unknown, structured?: ReportCase): ResultReport {
  const cases = [
    ...(expected.validateResponse ? [envelopeCase(result)] : []),
    ...(structured ? [structured] : []),
    ...(expected.expectSuccess ? [successCase(result)] : []),
  ];
  return {
    failures: cases.filter(({ passed }) => !passed),
    unchecked: cases.flatMap(({ unchecked = [] }) => unchecked),
    document({ toolName, durationMs }) {
      const report: ReportInput = redactKnowing(
        { kind: "tools-call-validation", cases, durationMs, metadata: { toolName } },
        [],
      );
      return expected.reporter === "junit-xml"
        ? toJunitXml(report)
        : `${JSON.stringify(toJsonSummary(report))}\n`;
    },
  };
}

function envelopeCase(result: unknown): ReportCase {
  const faults = toolResultFaults(result);
  return {
    id: "response-envelope",
    title: "The result has the shape the protocol defines",
    category: "validation",
    passed: faults.length === 0,
    ...(faults.length > 0 && {
      error: faults.map(resultReason).join("; "),
      details: { faults },
    }),
  };
}

function successCase(result: unknown): ReportCase {
  const failed = isObject(result) && result.isError === true;
  return {
    id: "expect-success",
    title: "The tool succeeds",
    category: "validation",
    passed: !failed,
    ...(failed && { error: firstText(result) ?? "The result says isError." }),
  };
}

export function toolResultText(
  result: JsonObject,
  durationMs: number,
  { failures, unchecked }: Pick<ResultReport, "failures" | "unchecked"> = { failures: [], unchecked: [] },
): Text {
  const { content, structuredContent, isError } = result;
  const showsContent = Array.isArray(content) && content.length > 0 && !repeats(content, structuredContent);
  const mark = isError === true ? style.red("✗ the tool reports an error") : style.green("✓");
  return lines([
    ...(showsContent ? [contentText(content)] : []),
    ...(showsContent && structuredContent !== undefined ? [""] : []),
    ...(structuredContent === undefined ? [] : [outline(structuredContent)]),
    ...(content === undefined && structuredContent === undefined ? [outline(result)] : []),
    "",
    text`${mark} ${style.dim(`${durationMs} ms`)}`,
    ...failures.map(({ title, error }) => text`${style.red("✗")} ${title}: ${error ?? ""}`),
    ...unchecked.map((part) => text`${style.yellow("!")} ${part}`),
  ]);
}

/** Servers send structured content as text too, for clients that know no better; once is enough for eyes. */
function repeats(content: readonly unknown[], structured: unknown): boolean {
  if (structured === undefined || content.length !== 1) return false;
  const [only] = content;
  if (!isObject(only) || typeof only.text !== "string") return false;
  try {
    return JSON.stringify(parseExactNumbers(only.text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

function firstText({ content }: JsonObject): string | undefined {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const text = blocks.find(({ type }) => type === "text")?.text;
  return typeof text === "string" ? text : undefined;
}
