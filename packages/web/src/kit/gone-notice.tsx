/** @module Says over what is still shown that it is no longer there. What was typed stays to be copied. */
import type { UseQueryResult } from "@tanstack/react-query";
import { failureOf } from "../api/failure.ts";
import { Notice } from "../ui/notice.tsx";

export function GoneNotice({ query, what }: { query: UseQueryResult<unknown>; what: string }) {
  const isGone = query.data !== undefined && query.isError && failureOf(query.error).code === "NOT_FOUND";
  if (!isGone) return null;
  return (
    <div data-testid="state" data-state="gone">
      <Notice kind="bad" role="alert" title={`There is no such ${what} any more`}>
        It was deleted, or is no longer shared with you. What is shown is what was last read; nothing can be
        saved.
      </Notice>
    </div>
  );
}
