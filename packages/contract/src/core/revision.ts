/**
 * @module Revisions over HTTP, as declared: whoever reads one thing that has a revision gets it in an `ETag`, and may send that back as
 * `If-Match` with a change, which fills the field of the body that says what its sender last read.
 */
import type { OperationDeclaration } from "./operation.ts";

type Declared = Pick<OperationDeclaration, "method" | "path" | "body" | "output">;

export const revisionFields = ["revision", "updatedAt"] as const;
const expectedFields = ["expectedRevision", "expectedUpdatedAt"] as const;

const has = (schema: Declared["body"], field: string) =>
  schema !== undefined && "shape" in schema && field in (schema.shape as object);

/** Reads one thing, by the id that ends its path. */
export const readsOne = ({ method, path }: Pick<Declared, "method" | "path">) =>
  method === "GET" && path.endsWith("}");

export const answersRevision = (operation: Declared) =>
  readsOne(operation) && revisionFields.some((field) => has(operation.output, field));

/** Undefined: it does not take `If-Match`. */
export const expectedFieldOf = ({ method, body }: Pick<Declared, "method" | "body">) =>
  method === "GET" ? undefined : expectedFields.find((field) => has(body, field));
