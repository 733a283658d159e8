/**
 * @module Revisions over HTTP, as declared: whoever reads one thing that has a revision gets it in an `ETag`, and may send that back as
 * `If-Match` with a change, which fills the field of the body or the query that says what its sender last read.
 */
import { z } from "zod";
import type { OperationDeclaration } from "./operation.ts";

type Declared = Pick<OperationDeclaration, "method" | "path" | "query" | "body" | "output">;

export const revisionFields = ["revision", "updatedAt"] as const;
const expectedFields = ["expectedRevision", "expectedUpdatedAt"] as const;

function has(schema: Declared["body"], field: string): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some((one) => has(one as z.ZodType, field));
  return schema !== undefined && "shape" in schema && field in (schema.shape as object);
}

/** Reads one thing, by the id that ends its path. */
export const readsOne = ({ method, path }: Pick<Declared, "method" | "path">) =>
  method === "GET" && path.endsWith("}");

export const answersRevision = (operation: Declared) =>
  readsOne(operation) && revisionFields.some((field) => has(operation.output, field));

/** Where a change says what its sender last read. Undefined: it does not take `If-Match`. */
export function expectedFieldOf(operation: Pick<Declared, "method" | "query" | "body">) {
  if (operation.method === "GET") return undefined;
  return (["body", "query"] as const)
    .flatMap((where) => expectedFields.map((field) => ({ where, field })))
    .find(({ where, field }) => has(operation[where], field));
}
