/** @module The order in which people read operations: by tag, then along the paths, reading before writing. */
import type { Method, OperationDeclaration } from "../core/operation.ts";

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Keeps tags in the order they come in. */
export function inReadingOrder(operations: readonly OperationDeclaration[]): OperationDeclaration[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return operations.toSorted(
    (a, b) =>
      tags.indexOf(a.tag) - tags.indexOf(b.tag) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : methods.indexOf(a.method) - methods.indexOf(b.method)),
  );
}
