/** @module From the bytes of a suite file to a suite, or to everything that is wrong with it, each with its place. Offline and pure. */

import { type SuiteFindingCode, type SuiteStage, suiteFindingStage } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import type { z } from "zod";
import { crossFaults } from "./cross-faults.ts";
import { type DocumentFault, type Location, type Path, readDocument } from "./document.ts";
import { type SuiteFile, suiteFileSchema } from "./suite-file.ts";

export interface SuiteFinding {
  code: SuiteFindingCode;
  path: (string | number)[];
  /** The path as people write it: `cases[3].steps[0].id`; empty for the file itself. */
  pointer: string;
  message: string;
  location?: Location;
}

export type SuiteReading =
  | { ok: true; suite: SuiteFile; locate(path: Path): Location | undefined }
  | { ok: false; stage: SuiteStage; findings: SuiteFinding[] };

/**
 * @example
 * const reading = readSuite(await readFile("orders.yaml"));
 * if (!reading.ok) for (const { pointer, message } of reading.findings) console.error(pointer, message);
 */
export function readSuite(bytes: Uint8Array): SuiteReading {
  const document = readDocument(bytes);
  if (!document.ok) return invalid(document.faults);
  const { value, locate } = document;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid([
      { code: "SUITE_FILE_INVALID", path: [], message: "A suite file is a mapping of fields." },
    ]);
  }
  const parsed = suiteFileSchema.safeParse(value);
  const faults = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => faultsOf(issue, value))),
    ...crossFaults(value as Fields),
  ];
  if (faults.length > 0 || !parsed.success) {
    return invalid(
      faults.map((fault) => {
        const location = fault.location ?? locate(fault.path);
        return { ...fault, ...(location && { location }) };
      }),
    );
  }
  return { ok: true, suite: parsed.data, locate };
}

/** Whether a document is one of the create API, which has no version: whoever gives it here means another command. */
export function isCreateBody(bytes: Uint8Array): boolean {
  const document = readDocument(bytes);
  if (!document.ok) return false;
  const { value } = document;
  if (!isFields(value) || "schemaVersion" in value) return false;
  return ["servers", "serverIds", "tests"].some((field) => field in value);
}

function invalid(faults: readonly DocumentFault[]): SuiteReading {
  const findings = faults.map(({ code, path, message, location }) => ({
    code,
    path: [...path],
    pointer: pointerOf(path),
    message,
    ...(location && { location }),
  }));
  findings.sort(inDocumentOrder);
  const { code } = must(findings[0], "a fault of an invalid suite");
  return { ok: false, stage: suiteFindingStage[code], findings };
}

export function pointerOf(path: Path): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
}

type Placed = Omit<SuiteFinding, "code" | "path"> & { code: string };

/** By place, then by words: the same file gives the same bytes. Never by locale. */
export function inDocumentOrder(one: Placed, other: Placed): number {
  const place = ({ location }: Placed) => [location?.line ?? 0, location?.column ?? 0] as const;
  const [line, column] = place(one);
  const [otherLine, otherColumn] = place(other);
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return (
    line - otherLine ||
    column - otherColumn ||
    text(one.pointer, other.pointer) ||
    text(one.code, other.code) ||
    text(one.message, other.message)
  );
}

type Issue = z.core.$ZodIssue;
type Fields = Record<string, unknown>;

/** In our own words: the library's may change with its version, and a finding must not. */
export function faultsOf(issue: Issue, root: unknown): DocumentFault[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  const fault = (message: string, at: Path = path): DocumentFault => ({
    code: "SUITE_FILE_INVALID",
    path: at,
    message,
  });
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => fault(`"${key}" is no field here.`, [...path, key]));
    case "invalid_type":
      return [
        fault(valueAt(root, path) === undefined ? "is required." : `must be ${article(issue.expected)}.`),
      ];
    case "invalid_value":
      return [
        fault(
          valueAt(root, path) === undefined && issue.values.length > 1
            ? `is required: one of ${listed(issue.values)}.`
            : issue.message.startsWith("Invalid")
              ? `must be one of ${listed(issue.values)}.`
              : `${issue.message}.`,
        ),
      ];
    case "invalid_union":
      return [
        fault(
          issue.message.startsWith("Invalid")
            ? unionMessage(issue, valueAt(root, path))
            : `${issue.message}.`,
        ),
      ];
    case "too_small":
      return [
        fault(`must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}.`),
      ];
    case "too_big":
      return [
        fault(`must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}.`),
      ];
    case "invalid_format":
      return [fault(issue.format === "datetime" ? "must be an ISO date and time." : `${issue.message}.`)];
    default:
      return [fault(`${issue.message.replace(/\.$/, "")}.`)];
  }
}

function unionMessage(issue: Issue & { code: "invalid_union" }, value: unknown): string {
  const options = "options" in issue && Array.isArray(issue.options) ? issue.options : [];
  const known = options.length > 0 ? ` one of ${listed(options)}` : " a known one";
  return value === undefined ? `is required:${known}.` : `must be${known}.`;
}

const article = (type: string) =>
  type === "int"
    ? "a whole number"
    : /^[aeiou]/.test(type)
      ? `an ${type === "array" || type === "object" ? (type === "array" ? "array" : "object") : type}`
      : `a ${type}`;
const bound = (origin: string) => (origin === "number" || origin === "int" ? "be" : "have");
const units: Record<string, readonly [string, string]> = {
  string: [" character", " characters"],
  array: [" entry", " entries"],
};
const unit = (origin: string, count: unknown) => units[origin]?.[count === 1 ? 0 : 1] ?? "";
const listed = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(", ");

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) value = (value as Fields | undefined | null)?.[part as string];
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
