/** @module What was refused, in the words that are written for visitors: also a limit, which says when to come back. */
import type { ApiError } from "@fettle/contract/core";
import { Notice } from "../../../ui/notice.tsx";

export function VisitFailure({ failure }: { failure: ApiError | null }) {
  if (!failure) return null;
  return (
    <Notice kind="bad" role="alert">
      {failure.message}
    </Notice>
  );
}
