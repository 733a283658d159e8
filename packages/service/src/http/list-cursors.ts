/** @module Opens the cursor of a list that is asked to go on, and seals the one that it answers with. */
import { cursorFieldOf, type OperationDeclaration } from "@fettle/contract/core";
import type { OperationId } from "@fettle/contract/operations";
import { openCursor, sealCursor } from "../core/routing/page.ts";

/** A list by its operation: every operation that is answered is one of the contract's. */
const listOf = ({ id }: OperationDeclaration) => id as OperationId;

export function withOpenCursor(operation: OperationDeclaration, query: unknown): unknown {
  const field = cursorFieldOf(operation);
  if (field === undefined) return query;
  // Its schema has just read it: an object in which a cursor is a text.
  const { [field]: sealed } = query as Record<string, string | undefined>;
  if (sealed === undefined) return query;
  return { ...(query as object), [field]: openCursor(listOf(operation), sealed, `query.${field}`) };
}

export function withSealedCursor(operation: OperationDeclaration, output: unknown): unknown {
  if (cursorFieldOf(operation) === undefined) return output;
  const { nextCursor } = (output ?? {}) as { nextCursor?: string };
  if (nextCursor === undefined) return output;
  return { ...(output as object), nextCursor: sealCursor(listOf(operation), nextCursor) };
}
