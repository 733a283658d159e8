/**
 * @module Revisions over HTTP. Whoever reads a thing that has a revision gets it in an `ETag`; whoever changes it may send that back as
 * `If-Match`, which says what the fields `expectedRevision` and `expectedUpdatedAt` of a body or a query say.
 */
import {
  ApiError,
  expectedFieldOf,
  type OperationDeclaration,
  readsOne,
  revisionFields,
} from "@fettle/contract/core";

/** Undefined: what is read has none, or is a list. */
export function revisionOf(operation: OperationDeclaration, output: unknown): number | undefined {
  if (!readsOne(operation) || typeof output !== "object" || output === null || "items" in output) {
    return undefined;
  }
  const told = output as Partial<Record<(typeof revisionFields)[number], unknown>>;
  return revisionFields.map((field) => told[field]).find((one) => typeof one === "number");
}

interface Sent {
  query: unknown;
  body: unknown;
}

/** What was sent with a change, with the revision that `If-Match` names in the field that the operation has for it. */
export function withRevisionOfHeader(
  operation: OperationDeclaration,
  headers: { "if-match"?: string | undefined },
  sent: Sent,
): Sent {
  const said = headers["if-match"]?.trim();
  if (operation.method === "GET" || said === undefined || said === "") return sent;
  const expected = expectedFieldOf(operation);
  // It is there, or the answer is 404 anyway.
  if (!expected && said === "*") return sent;
  if (!expected) {
    throw new ApiError("VALIDATION_ERROR", "This operation does not take If-Match.", {
      code: "IF_MATCH_NOT_TAKEN",
      path: "headers.if-match",
    });
  }
  const { where, field } = expected;
  const fields = sent[where] ?? {};
  if (typeof fields !== "object") return sent;
  const alsoSaid = (fields as Record<string, unknown>)[field];
  if (said === "*") return { ...sent, [where]: { [field]: "*", ...fields } };
  const revision = /^(?:W\/)?"(\d{1,15})\./.exec(said)?.[1];
  if (revision === undefined) throw preconditionFailed(said);
  // Whichever of the two is stale, the change must not go through.
  if (alsoSaid !== undefined && String(alsoSaid) !== String(Number(revision)))
    throw preconditionFailed(said, where);
  return { ...sent, [where]: { ...fields, [field]: Number(revision) } };
}

/** A change that somebody else's came before, as HTTP says it to who asked by `If-Match`. */
export function asPrecondition(headers: { "if-match"?: string | undefined }, error: unknown): unknown {
  const isStale =
    error instanceof ApiError &&
    error.code === "CONFLICT" &&
    ("currentUpdatedAt" in (error.details ?? {}) || "currentRevision" in (error.details ?? {}));
  if (!isStale || headers["if-match"] === undefined) return error;
  return new ApiError(error.code, error.message, error.details, { status: 412 });
}

const preconditionFailed = (said: string, other?: string) =>
  new ApiError(
    "CONFLICT",
    other === undefined
      ? "If-Match does not name a revision of this."
      : `If-Match and the ${other} name different revisions.`,
    {
      code: "UNKNOWN_ETAG",
      said: said.slice(0, 100),
      hint: "Read it again, and send the ETag that comes with it.",
    },
    { status: 412 },
  );
