/** @module Holds what goes in and out to the contract's schemas, and names the path of each fault. */
import { isDeepStrictEqual } from "node:util";
import { ApiError, type OperationDeclaration } from "@fettle/contract/core";
import { errorCodesOf } from "@fettle/contract/document";
import type { z } from "zod";
import { withOpenCursor } from "./list-cursors.ts";

export interface Input {
  query: unknown;
  body: unknown;
}

interface Raw extends Input {
  /** Of the path, which a cursor belongs to. */
  params?: unknown;
}

/** Parses query and body as declared; a query or body nobody declared must be empty. */
export function readInput(operation: OperationDeclaration, raw: Raw): Input {
  return {
    query: operation.query
      ? withOpenCursor(operation, parse(operation.query, raw.query, "query"), raw.params)
      : refuseFields("query", raw.query),
    body: operation.body ? parse(operation.body, raw.body ?? {}, "body") : refuseFields("body", raw.body),
  };
}

function refuseFields(where: "query" | "body", value: unknown): undefined {
  const fields = Object.keys(value ?? {});
  if (fields.length > 0) {
    const message = `This operation takes no ${where}.`;
    throw invalid(fields.map((field) => ({ path: `${where}.${field}`, message })));
  }
}

function parse(schema: z.ZodType, value: unknown, where: "query" | "body"): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.flatMap((issue) => faultsOf(issue, where)));
}

interface Fault {
  path: string;
  message: string;
  /** For refusals that a schema gives a name of their own. */
  code?: string;
}

function faultsOf(issue: z.core.$ZodIssue, where: string): Fault[] {
  const path = [where, ...issue.path.map(String)].join(".");
  // Zod reports unknown fields on their parent; the fault a person looks for is the field itself.
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: `${path}.${key}`, message: "This field is not known." }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) return faultsOfUnion(issue, where);
  const code = issue.code === "custom" ? issue.params?.code : undefined;
  return [{ path, message: issue.message, ...(typeof code === "string" && { code }) }];
}

/** Zod says no more than that nothing fitted: the faults of the kind that was meant, or the kinds there are. */
function faultsOfUnion(issue: z.core.$ZodIssueInvalidUnion, where: string): Fault[] {
  const isOtherKind = (branch: readonly z.core.$ZodIssue[]) =>
    branch.some(({ code, path }) => code === "invalid_type" && path.length === 0);
  const meant = issue.errors.find((branch) => !isOtherKind(branch));
  const below = [where, ...issue.path.map(String)].join(".");
  if (meant) return meant.flatMap((each) => faultsOf(each, below));
  const kinds = issue.errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first.expected] : []));
  const received = issue.errors[0]?.[0]?.message.match(/, received .*$/)?.[0] ?? "";
  const expected = new Intl.ListFormat("en", { type: "disjunction" }).format(kinds).replace(/, or /, " or ");
  return [{ path: below, message: `Invalid input: expected ${expected}${received}` }];
}

function invalid(faults: Fault[]): ApiError {
  const [first] = faults;
  return new ApiError("VALIDATION_ERROR", `${first?.path}: ${first?.message}`, {
    path: first?.path,
    ...(first?.code !== undefined && { code: first.code }),
    issues: faults,
  });
}

/**
 * Refuses an answer the contract does not describe, extra fields included: a field nobody declared is how an inner
 * value leaks. Used in development and tests; production trusts what they proved.
 */
export function checkOutput(operation: OperationDeclaration, output: unknown): void {
  if (!operation.output) return;
  const wire: unknown = JSON.parse(JSON.stringify(output));
  const result = operation.output.safeParse(wire);
  if (!result.success)
    throw new Error(`${operation.id} answered outside its contract: ${result.error.message}`);
  const declared: unknown = JSON.parse(JSON.stringify(result.data));
  if (!isDeepStrictEqual(declared, wire)) {
    throw new Error(`${operation.id} answered with fields outside its contract: ${JSON.stringify(wire)}`);
  }
}

/** A code that the operation does not declare is our fault, like an output that does not match. */
export function checkRefusal(operation: OperationDeclaration, error: unknown): void {
  if (!(error instanceof ApiError) || errorCodesOf(operation).some((code) => code === error.code)) return;
  throw new Error(`${operation.id} refused outside its contract: ${error.code}`, { cause: error });
}
