/** @module Opens the cursor of a list that is asked to go on, and seals the one that it answers with. */
import { cursorFieldOf, type OperationDeclaration } from "@fettle/contract/core";
import type { OperationId } from "@fettle/contract/operations";
import { type ListKey, openCursor, sealCursor } from "../core/routing/page.ts";

/** What a list was asked by. */
export interface Asked {
  /** Of the path. */
  params?: unknown;
  query: unknown;
}

export function listKeyOf({ id, access }: OperationDeclaration, { params, query }: Asked): ListKey {
  const ids = { ...(params as Record<string, string> | undefined) };
  if (access.kind === "project" && access.from === "query") {
    ids.projectId = String((query as { projectId?: unknown } | undefined)?.projectId);
  }
  // Every operation that is answered is one of the contract's.
  return { list: id as OperationId, ids };
}

export function withOpenCursor(operation: OperationDeclaration, query: unknown, params: unknown): unknown {
  const field = cursorFieldOf(operation);
  if (field === undefined) return query;
  // Its schema has just read it: an object in which a cursor is a text.
  const { [field]: sealed } = query as Record<string, string | undefined>;
  if (sealed === undefined) return query;
  return {
    ...(query as object),
    [field]: openCursor(listKeyOf(operation, { params, query }), sealed, `query.${field}`),
  };
}

export function withSealedCursor(operation: OperationDeclaration, asked: Asked, output: unknown): unknown {
  if (cursorFieldOf(operation) === undefined) return output;
  const { nextCursor } = (output ?? {}) as { nextCursor?: string };
  if (nextCursor === undefined) return output;
  return { ...(output as object), nextCursor: sealCursor(listKeyOf(operation, asked), nextCursor) };
}
