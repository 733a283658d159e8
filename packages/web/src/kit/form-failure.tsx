/** @module What the service refused, above the form's buttons, unless it is already said at a field. */
import type { ApiError } from "@fettle/contract/core";
import { failureText } from "../api/failure.ts";
import { Notice } from "../ui/notice.tsx";

export function FormFailure({ failure }: { failure: ApiError | null }) {
  if (!failure) return null;
  return (
    <Notice kind="bad" role="alert">
      {failureText(failure)}
    </Notice>
  );
}
